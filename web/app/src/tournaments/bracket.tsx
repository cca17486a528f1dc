import { at } from "../client";
import { t } from "../i18n";
import { Name } from "../parts/name";
import type { Tournament } from "../wire";
import { byNumber, sharesOf } from "./texts";

/** Who meets whom in a knockout, round by round, up to the final. */
export function Bracket({ tournament, me }: { tournament: Tournament; me: number | null }) {
  const [first] = tournament.bracket;
  if (!first) return null;
  const rounds = Math.log2(first.length);
  return (
    <section class="more">
      <h2>{t("tournament.bracket")}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with the keyboard. */}
      <section class="scrolls" tabIndex={0} aria-label={t("tournament.bracket")}>
        <ol class="bracket">
          {Array.from({ length: rounds }, (_, place) => place + 1).map((round) => (
            <li key={round}>
              <h3>{roundText(round, rounds)}</h3>
              <ul>
                {Array.from({ length: 2 ** (rounds - round) }, (_, pair) => (
                  <Pair key={pair} tournament={tournament} round={round} pair={pair} me={me} />
                ))}
              </ul>
            </li>
          ))}
        </ol>
      </section>
    </section>
  );
}

function roundText(round: number, rounds: number): string {
  const left = rounds - round;
  if (left === 0) return t("tournament.final");
  if (left === 1) return t("tournament.semifinals");
  return left === 2 ? t("tournament.quarterfinals") : t("tournament.round.number", { round });
}

function Pair({
  tournament,
  round,
  pair,
  me,
}: {
  tournament: Tournament;
  round: number;
  pair: number;
  me: number | null;
}) {
  const everybody = byNumber(tournament);
  const places = [0, 1].map((place) => tournament.bracket[round - 1]?.[2 * pair + place] ?? null);
  const next = tournament.bracket[round]?.[pair] ?? null;
  const board = tournament.boards.find(
    (one) => one.round === round && places.every((place) => place !== null && one.players.includes(place)),
  );
  const shares = board ? sharesOf(board) : null;
  const latest = board?.games.at(-1);
  return (
    <li>
      <div class={latest ? "covered" : undefined}>
        {latest && (
          <a class="cover" href={at(`/match/${latest.match}`)}>
            <span class="hidden">{places.map((number) => number && everybody.get(number)?.name).join(" – ")}</span>
          </a>
        )}
        {places.map((number, place) => {
          const player = number === null ? undefined : everybody.get(number);
          const isOut = next !== null && number !== next;
          const share = board && number !== null ? shares?.[board.players.indexOf(number)] : undefined;
          return (
            <p key={place} class={`${number !== null && number === me ? "you" : ""} ${isOut ? "out" : ""}`}>
              {player ? (
                <Name name={player.name} profile={player.profile} />
              ) : (
                <span class="muted">{round === 1 ? t("tournament.bye") : "–"}</span>
              )}
              {share !== undefined && <span class="figures">{share}</span>}
            </p>
          );
        })}
      </div>
    </li>
  );
}
