import { Plus, Trash2 } from "lucide";
import { t } from "../i18n";
import { Icon } from "../parts/icon";
import { castlings } from "./castling";
import { Conditions } from "./conditions-form";
import { ChoiceKey, FlagKey, Key, PairKey, TextKey } from "./fields";
import type { OpenDraft } from "./open-draft";
import { SquaresKey, usePicking } from "./picking";
import { Setups } from "./setups-form";
import { BesideStart } from "./start";
import { drop, put, putTable } from "./toml-edit";
import { Zones } from "./zones-form";

/** The special rules, with the words of the format. */
export function RulesForm({ draft }: { draft: OpenDraft }) {
  const picking = usePicking();
  return (
    <BesideStart draft={draft} picking={picking}>
      <h2>{t("studio.rules.end")}</h2>
      <ChoiceKey
        draft={draft}
        path={["end", "goal"]}
        label={t("studio.rules.goal")}
        among={[
          { value: "checkmate", label: t("studio.rules.goal.checkmate") },
          { value: "capture all royals", label: t("studio.rules.goal.capture") },
          { value: "conditions", label: t("studio.rules.goal.conditions") },
        ]}
      />
      <ChoiceKey
        draft={draft}
        path={["end", "royals"]}
        label={t("studio.rules.royals")}
        among={[
          { value: "only", label: t("studio.rules.royals.only") },
          { value: "last", label: t("studio.rules.royals.last") },
          { value: "every", label: t("studio.rules.royals.every") },
          { value: "one", label: t("studio.rules.royals.one") },
        ]}
      />
      <ChoiceKey
        draft={draft}
        path={["end", "checkmate"]}
        label={t("studio.rules.checkmate")}
        among={[
          { value: "loss", label: t("studio.rules.checkmate.loss") },
          { value: "win", label: t("studio.rules.checkmate.win") },
          { value: "draw", label: t("studio.rules.stalemate.draw") },
        ]}
      />
      <ChoiceKey
        draft={draft}
        path={["end", "stalemate"]}
        label={t("studio.rules.stalemate")}
        among={[
          { value: "draw", label: t("studio.rules.stalemate.draw") },
          { value: "loss", label: t("studio.rules.stalemate.loss") },
          { value: "win", label: t("studio.rules.stalemate.win") },
        ]}
      />
      <Conditions draft={draft} picking={picking} />
      <PairKey
        draft={draft}
        path={["end", "repetition"]}
        label={t("studio.rules.repetition")}
        help={t("studio.rules.pair.help")}
        otherwise={[3, 5]}
      />
      <PairKey
        draft={draft}
        path={["end", "quiet"]}
        label={t("studio.rules.quiet")}
        help={t("studio.rules.quiet.help")}
        otherwise={[100, 150]}
      />
      <FlagKey draft={draft} path={["end", "dead_positions"]} label={t("studio.rules.dead")} otherwise />
      <h2>{t("studio.rules.promotion")}</h2>
      <SquaresKey
        draft={draft}
        picking={picking}
        path={["promotion", "at"]}
        label={t("studio.rules.at")}
        placeholder="last rank"
        help={t("studio.rules.squares")}
      />
      <SquaresKey
        draft={draft}
        picking={picking}
        path={["promotion", "optional"]}
        label={t("studio.rules.optional")}
        placeholder="ranks 8-9"
      />
      <ChoiceKey
        draft={draft}
        path={["promotion", "limit"]}
        label={t("studio.rules.limit")}
        among={[
          { value: "none", label: t("studio.rules.limit.none") },
          { value: "start", label: t("studio.rules.limit.start") },
        ]}
      />
      <Castling draft={draft} />
      <Zones draft={draft} picking={picking} />
      <Setups draft={draft} picking={picking} />
      <h2>{t("studio.rules.turn")}</h2>
      <ChoiceKey
        draft={draft}
        path={["turn", "moves"]}
        label={t("studio.rules.moves")}
        help={t("studio.rules.moves.help")}
        among={[1, 2, 3, 4, 5, 6, "royals"].map((value) => ({
          value,
          label: value === "royals" ? t("studio.rules.moves.royals") : String(value),
        }))}
      />
      <FlagKey draft={draft} path={["turn", "may_end"]} label={t("studio.rules.may_end")} />
      <FlagKey draft={draft} path={["turn", "may_pass"]} label={t("studio.rules.may_pass")} />
      <FlagKey draft={draft} path={["turn", "once_each"]} label={t("studio.rules.once_each")} />
      <FlagKey draft={draft} path={["turn", "ends_on_check"]} label={t("studio.rules.ends_on_check")} />
      <FlagKey draft={draft} path={["turn", "must_capture"]} label={t("studio.rules.must_capture")} />
      <FlagKey draft={draft} path={["turn", "may_check"]} label={t("studio.rules.may_check")} otherwise />
      <p class="help">{t("studio.rules.more")}</p>
    </BesideStart>
  );
}

/** The format allows one for each side of the board; more are for the text. */
const MOST = 8;

function Castling({ draft }: { draft: OpenDraft }) {
  const count = Math.min(MOST, draft.document.value?.count(["castling"]) ?? 0);
  const given = draft.inherited(["castling"]);
  const inherited = Array.isArray(given) && count === 0 ? given.length : 0;
  const found = castlings(draft);
  const add = () => {
    let text = draft.text.value;
    found.list.forEach((entries, index) => {
      text = putTable(text, ["castling", count + index], entries);
    });
    draft.write(put(text, ["game", "start"], found.start));
  };
  return (
    <>
      <h2>
        {t("studio.rules.castling")} <Key path={["castling"]} />
      </h2>
      {inherited > 0 && <p class="help">{t("studio.rules.castling.inherited", { count: inherited })}</p>}
      {Array.from({ length: count }, (_, index) => (
        <fieldset key={index} class="studio-castling">
          <legend class="hidden">{`${t("studio.rules.castling")} ${index + 1}`}</legend>
          {(["right", "king", "rook"] as const).map((key) => (
            <TextKey
              key={key}
              draft={draft}
              path={["castling", index, key]}
              label={t(`studio.rules.castling.${key}`)}
            />
          ))}
          <button
            type="button"
            class="quiet"
            aria-label={t("studio.rules.castling.remove")}
            onClick={() => draft.write(drop(draft.text.value, ["castling", index]))}
          >
            <Icon of={Trash2} size={18} />
          </button>
        </fieldset>
      ))}
      {count === 0 && inherited === 0 && (
        <>
          <button type="button" disabled={found.list.length === 0} onClick={add}>
            <Icon of={Plus} size={18} /> {t("studio.rules.castling.add")}
          </button>
          {found.list.length === 0 && <p class="help">{t("studio.rules.castling.none")}</p>}
        </>
      )}
    </>
  );
}
