import { language, t } from "../i18n";
import { PieceDrawing } from "../parts/board";
import type { Game } from "../wire";
import { sourceName } from "./diagram";

/** A table of piece values, a column for each source, the most valuable piece first. */
export function Values({ game }: { game: Game }) {
  const sources = [...new Set(game.pieces.flatMap((kind) => Object.keys(kind.values)))];
  const [first] = sources;
  if (!first) return null;
  const worth = (values: Record<string, number>) => values[first] ?? Math.max(0, ...Object.values(values));
  const pieceTypes = game.pieces
    .filter((kind) => Object.keys(kind.values).length > 0)
    .sort((a, b) => worth(b.values) - worth(a.values));
  const number = new Intl.NumberFormat(language.value);
  const shown = (value: number | undefined) => (value === undefined ? "–" : number.format(value));
  return (
    <section id="values" class="learn-part">
      <h2>{t("learn.values")}</h2>
      <table class="values figures">
        <thead>
          <tr>
            <th scope="col">{t("learn.values.piece")}</th>
            {sources.map((source) => (
              <th key={source} scope="col">
                {sourceName(source)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {pieceTypes.map((kind) => (
            <tr key={kind.letter}>
              <th scope="row">
                <PieceDrawing kind={kind} side="white" size={24} /> {kind.name}
                {kind.letter in game.not_in_play && <span class="muted small"> {t("learn.option.short")}</span>}
              </th>
              {sources.map((source) => (
                <td key={source}>{shown(kind.values[source])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
