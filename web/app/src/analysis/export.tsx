import { BookOpen, Download, SquarePen, Swords } from "lucide";
import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { at, type Refusal, settings } from "../client";
import * as studies from "../client/studies";
import { count, t } from "../i18n";
import { CopyLink } from "../match/waiting";
import { CopyText, EmbedCode } from "../parts/copy-text";
import { Icon } from "../parts/icon";
import { newGameAt, optionsIn } from "../parts/links";
import { Trouble } from "../parts/loaded";
import { nameOf } from "../parts/option";
import { thrownRefusal } from "../refusal";
import type { Game } from "../wire";
import { saveText, toPng } from "./files";
import type { Opened } from "./opened";
import { pgnOf, savePgn } from "./pgn";
import { pictureOf } from "./picture";
import type { Review } from "./review";
import { toFragment } from "./share";
import { titleOf } from "./title";

/** What is analysed, by which rules, and the link, pictures and PGN to share it. */
export function Export({ study, review, game }: { study: Opened; review: Review; game: Game }) {
  const saved = study.saved.value;
  const position = study.position.value;
  const { route } = useLocation();
  const [link, setLink] = useState("");
  const [error, setError] = useState<Refusal | null>(null);
  useEffect(() => {
    let current = true;
    toFragment(study.shared()).then((fragment) => {
      if (current) setLink(`${new URL(at("/analysis"), location.href).href}#a=${fragment}`);
    });
    return () => {
      current = false;
    };
  }, [saved]);
  const options = game.options.map((option) => [option.name, saved.options[option.name] ?? option.default] as const);
  const file = (suffix: string) => `acedrex-${saved.game}-${saved.id.slice(0, 6)}.${suffix}`;
  const attempt = (work: () => Promise<void>) => () => {
    setError(null);
    work().catch((problem: unknown) => setError(thrownRefusal(problem)));
  };
  const makeStudy = async () => {
    const { game, options, fen, nodes, comment, tags, orientation } = study.shared();
    const title = titleOf(saved).slice(0, 80);
    const chapter = { title, game, options, fen, nodes, comment, tags, orientation };
    route(at(`/study/${(await studies.make({ title, chapter })).study}`));
  };
  const picture = () => {
    const style = getComputedStyle(document.documentElement);
    return pictureOf(game, position, {
      orientation: saved.orientation,
      pieces: settings.value.pieces,
      style: (variable) => style.getPropertyValue(variable).trim(),
    });
  };
  return (
    <div class="info export">
      <dl>
        <dt>{t("new.game")}</dt>
        <dd>
          {saved.name} · <a href={at(`/learn/${encodeURIComponent(saved.game)}`)}>{t("new.rules")}</a>
        </dd>
        {titleOf(saved) !== titleOf({ ...saved, tags: {} }) && <dt>{t("analysis.players")}</dt>}
        {titleOf(saved) !== titleOf({ ...saved, tags: {} }) && (
          <dd>
            {titleOf(saved)} {saved.tags.Result}
          </dd>
        )}
        {saved.setup && <dt>{t("new.setup")}</dt>}
        {saved.setup && (
          <dd>
            <code>{saved.setup}</code>
          </dd>
        )}
        {options.length > 0 && <dt>{t("new.options")}</dt>}
        {options.map(([name, value]) => (
          <dd key={name}>
            {nameOf(name)}: {nameOf(value)}
          </dd>
        ))}
        <dt>{t("analysis.tab.moves")}</dt>
        <dd>{count("card.moves", Object.keys(saved.tree).length - 1)}</dd>
      </dl>
      <h2>{t("analysis.share")}</h2>
      <p class="help">{t("analysis.share.help")}</p>
      <CopyLink link={link} label={t("analysis.share")} />
      <button type="button" onClick={attempt(makeStudy)}>
        <Icon of={BookOpen} size={18} /> {t("study.from_analysis")}
      </button>
      <h2>{t("embed.code")}</h2>
      <p class="help">{t("embed.help")}</p>
      <EmbedCode path={`analysis${new URL(link || location.href).hash}`} game={game} />
      <h2>{t("analysis.position")}</h2>
      <CopyText text={position.fen} label="FEN" />
      <div class="together">
        <button type="button" onClick={attempt(async () => saveText(picture(), "image/svg+xml", file("svg")))}>
          <Icon of={Download} size={18} /> SVG
        </button>
        <button type="button" onClick={attempt(async () => toPng(picture(), file("png")))}>
          <Icon of={Download} size={18} /> PNG
        </button>
        <a
          class="button"
          href={at(
            `/analysis/edit?${new URLSearchParams({ game: saved.game, ...optionsIn(saved.options), fen: position.fen })}`,
          )}
        >
          <Icon of={SquarePen} size={18} /> {t("analysis.edit")}
        </a>
        {!study.over.value && (
          <a class="button" href={newGameAt({ ...study.choice, fen: position.fen })}>
            <Icon of={Swords} size={18} /> {t("positions.play")}
          </a>
        )}
      </div>
      <h2>{t("analysis.record")}</h2>
      <button
        type="button"
        onClick={attempt(async () =>
          savePgn(await pgnOf(study.choice, saved.tree, saved.tags, review.notes.value), file("pgn")),
        )}
      >
        <Icon of={Download} size={18} /> PGN
      </button>
      {error && <Trouble error={error} />}
    </div>
  );
}
