import { useRoute } from "preact-iso";
import { at } from "../client";
import { t } from "../i18n";
import { Picture, PieceDrawing } from "../parts/board";
import { useGame } from "../parts/games";
import { Show } from "../parts/loaded";
import { Page } from "../parts/page";
import type { Game } from "../wire";
import { sizeText } from "./front";

/** A game in words: its story, its pieces and its rules, all from its definition. */
export function Learn() {
  const { params } = useRoute();
  const loaded = useGame(params.id);
  return (
    <Page title={loaded.value?.name ?? t("front.learn")}>
      <Show loaded={loaded}>{(game) => game && <About game={game} />}</Show>
    </Page>
  );
}

function About({ game }: { game: Game }) {
  return (
    <>
      <p class="muted">
        {game.author}
        {game.year !== null && `, ${game.year}`} · {sizeText(game)}
      </p>
      <div class="preview" aria-hidden="true">
        <Picture files={game.files} ranks={game.ranks} kinds={game.pieces} fen={game.start_fen} />
      </div>
      <p class="together">
        <a class="button primary" href={at(`/new?game=${encodeURIComponent(game.id)}`)}>
          {t("front.play")}
        </a>
        {/^https?:/.test(game.link) && (
          <a href={game.link} rel="noreferrer">
            {t("learn.link")}
          </a>
        )}
      </p>
      <div class="story">
        {game.story
          .split("\n\n")
          .filter(Boolean)
          .map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
      </div>
      <h2>{t("learn.pieces")}</h2>
      <dl class="kinds">
        {game.pieces.map((kind) => (
          <div key={kind.letter}>
            <dt>
              <PieceDrawing kind={kind} side="white" />
              <PieceDrawing kind={kind} side="black" />
              <span>
                <strong>{kind.name}</strong> <span class="muted">{kind.letter}</span>
              </span>
            </dt>
            <dd>{kind.help}</dd>
          </div>
        ))}
      </dl>
      {game.rules.length > 0 && <h2>{t("learn.rules")}</h2>}
      {game.rules.map((rule) => (
        <section key={rule.key}>
          <h3>{rule.title}</h3>
          <p>{rule.text}</p>
        </section>
      ))}
    </>
  );
}
