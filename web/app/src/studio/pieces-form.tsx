import { FileUp, Plus, Trash2 } from "lucide";
import { useLayoutEffect, useState } from "preact/hooks";
import { MAX_SIDE } from "../../../core/src/limits.ts";
import { t } from "../i18n";
import { drawn, PieceDrawing } from "../parts/board";
import { Dialog } from "../parts/dialog";
import { Icon } from "../parts/icon";
import type { PieceType } from "../wire";
import { ChoiceKey, FlagKey, Key, TextKey } from "./fields";
import { BrushForm, FIRST_DRAWING, MoveDiagram } from "./moves-form";
import type { OpenDraft } from "./open-draft";
import { piecesOf, pieceTypesOf, startOf, tableOf } from "./piece-types";
import { Promotions } from "./promotions-form";
import { renamedTexts } from "./rename";
import { drawingOf, MOST_FILE, type Unusable } from "./svg";
import { freeLetter, SAMPLES, type Sample } from "./templates";
import { drop, put, putTable } from "./toml-edit";
import { zonesOf } from "./zones-form";

/** The pieces: how each moves, drawn on a diagram or written, and what it is called. */
export function PiecesForm({ draft, place }: { draft: OpenDraft; place: (letter: string) => void }) {
  const pieceTypes = pieceTypesOf(draft);
  const [letter, setLetter] = useState(pieceTypes.find((kind) => !kind.royal)?.letter ?? pieceTypes[0]?.letter ?? "");
  const [adding, setAdding] = useState(false);
  const [drawing, setDrawing] = useState(FIRST_DRAWING);
  const kind = pieceTypes.find((one) => one.letter === letter) ?? pieceTypes[0];
  const move = kind ? draft.textAt(["pieces", kind.letter, "move"]) : "";
  const path = (key: string) => ["pieces", kind?.letter ?? "", key];
  const choose = (chosen: string) => {
    setLetter(chosen);
    setDrawing(FIRST_DRAWING);
  };
  const add = (sample: Sample | null) => {
    setAdding(false);
    const taken = pieceTypes.map((one) => one.letter);
    const free = freeLetter(sample?.letter ?? "X", taken);
    const name = sample?.name ?? t("studio.piece.new.name");
    draft.write(putTable(draft.text.value, ["pieces", free], { name, move: sample?.move ?? "W" }));
    choose(free);
  };
  return (
    <div class="studio-columns">
      {kind ? (
        <div>
          <MoveDiagram
            key={kind.letter}
            draft={draft}
            kind={kind}
            move={move}
            drawing={drawing}
            setDrawing={setDrawing}
            onMove={(next) => draft.put(path("move"), next)}
          />
          <p class="help">{t("learn.signs")}</p>
        </div>
      ) : (
        <div />
      )}
      <div class="studio-panel">
        <div class="studio-kinds">
          {pieceTypes.map((one) => (
            <button
              type="button"
              key={one.letter}
              aria-pressed={one.letter === kind?.letter}
              onClick={() => choose(one.letter)}
            >
              <PieceDrawing kind={one} side="white" size={28} /> {one.name}
            </button>
          ))}
          <button type="button" class="strong" onClick={() => setAdding(true)}>
            <Icon of={Plus} size={18} /> {t("studio.piece.add")}
          </button>
        </div>
        {adding && <Adding close={() => setAdding(false)} add={add} />}
        {kind && (
          <>
            <h2 class="kind-name">
              <PieceDrawing kind={kind} side="white" size={36} />
              <PieceDrawing kind={kind} side="black" size={36} /> {kind.name}
            </h2>
            {!piecesOf(startOf(draft), ALL).some((piece) => piece.letter === kind.letter) && (
              <p class="studio-absent">
                {t("studio.piece.absent", { piece: kind.name })}
                <button type="button" onClick={() => place(kind.letter)}>
                  {t("studio.piece.place")}
                </button>
              </p>
            )}
            <BrushForm drawing={drawing} setDrawing={setDrawing} />
            <TextKey
              draft={draft}
              path={path("move")}
              label={t("studio.piece.move")}
              help={t("studio.piece.move.help")}
            />
            <div class="studio-pair">
              <TextKey draft={draft} path={path("name")} label={t("studio.piece.name")} />
              <Letter draft={draft} kind={kind} pieceTypes={pieceTypes} onChange={choose} />
            </div>
            <ArtKey draft={draft} kind={kind} />
            <Value draft={draft} kind={kind} />
            <FlagKey
              draft={draft}
              path={path("royal")}
              label={t("studio.piece.royal")}
              help={t("studio.piece.royal.help")}
            />
            <Promotes draft={draft} kind={kind} pieceTypes={pieceTypes} />
            <TextKey draft={draft} path={path("help")} label={t("studio.piece.help")} rows={2} />
            <details>
              <summary>{t("studio.piece.more")}</summary>
              <TextKey
                draft={draft}
                path={path("promotes_by")}
                label={t("studio.piece.promotes_by")}
                help={t("studio.piece.promotes_by.help")}
              />
              <Promotions draft={draft} kind={kind} />
              <ChoiceKey
                draft={draft}
                path={path("within")}
                label={t("studio.piece.within")}
                help={t("studio.piece.within.help")}
                among={["", ...zonesOf(draft)].map((zone) => ({
                  value: zone,
                  label: zone || t("studio.piece.within.none"),
                }))}
              />
              <TextKey
                draft={draft}
                path={path("sees")}
                label={t("studio.piece.sees")}
                help={t("studio.piece.sees.help")}
              />
            </details>
            <button
              type="button"
              onClick={() => {
                remove(draft, kind);
                choose(pieceTypes.find((one) => one.letter !== kind.letter)?.letter ?? "");
              }}
            >
              <Icon of={Trash2} size={18} /> {t("studio.piece.remove", { piece: kind.name })}
            </button>
          </>
        )}
      </div>
    </div>
  );
}

const ALL = { files: MAX_SIDE, ranks: MAX_SIDE };

/** Removes a piece type; one of the game that the text extends is named in `remove`. */
function remove(draft: OpenDraft, kind: PieceType): void {
  const path = ["pieces", kind.letter];
  let text = drop(draft.text.value, path);
  if (draft.inherited(path) !== undefined) {
    const removed = draft.document.value?.at(["game", "remove"]);
    text = put(text, ["game", "remove"], [...(Array.isArray(removed) ? removed : []), `pieces.${kind.letter}`]);
  }
  draft.write(text);
}

function Adding({ close, add }: { close: () => void; add: (sample: Sample | null) => void }) {
  return (
    <Dialog title={t("studio.piece.add")} close={close}>
      <p>
        <button type="button" class="primary" onClick={() => add(null)}>
          {t("studio.piece.new")}
        </button>
      </p>
      <p class="help">{t("studio.piece.samples")}</p>
      <div class="studio-kinds">
        {SAMPLES.map((sample) => (
          <button type="button" key={sample.name} onClick={() => add(sample)}>
            <PieceDrawing kind={pieceTypeOf(sample)} side="white" size={28} /> {sample.name}
          </button>
        ))}
      </div>
      <div class="together">
        <button type="button" onClick={close}>
          {t("close")}
        </button>
      </div>
    </Dialog>
  );
}

function pieceTypeOf({ letter, name }: Sample): PieceType {
  const emblem = { dots: "", lines: "", fine: "", letter };
  const none = { also: [], help: "", royal: false, soldier: false, values: {}, promotes_to: [] };
  return { id: 0, letter, name, art: name.toLowerCase(), emblem, ...none };
}

/** The letter, which stands for the piece in the start and in notation. */
function Letter({
  draft,
  kind,
  pieceTypes,
  onChange,
}: {
  draft: OpenDraft;
  kind: PieceType;
  pieceTypes: PieceType[];
  onChange: (letter: string) => void;
}) {
  const own = draft.inherited(["pieces", kind.letter]) === undefined;
  const [refused, refuse] = useState<string | null>(null);
  useLayoutEffect(() => refuse(null), [kind.letter]);
  const change = (typed: string) => {
    const letter = typed.toUpperCase();
    const good = /^[A-Z]['!]?$/.test(letter) && !pieceTypes.some((one) => one.letter === letter);
    refuse(good || letter === kind.letter ? null : typed);
    if (!good) return;
    draft.replace(renamedTexts({ text: draft.text.value, french: draft.french.value }, kind.letter, letter));
    onChange(letter);
  };
  const holder = pieceTypes.find((one) => one.letter === refused?.toUpperCase());
  return (
    <>
      <div class="field">
        <label for="studio-letter">{t("studio.piece.letter")}</label>
        <input
          id="studio-letter"
          class="studio-letter"
          value={refused ?? kind.letter}
          maxLength={2}
          disabled={!own}
          autocomplete="off"
          aria-invalid={refused !== null}
          aria-describedby="studio-letter-refused"
          onChange={({ currentTarget }) => change(currentTarget.value)}
        />
      </div>
      {refused !== null && (
        <p class="fault" role="alert" id="studio-letter-refused">
          {holder
            ? t("studio.piece.letter.taken", { piece: holder.name, letter: holder.letter })
            : t("studio.piece.letter.wrong", { first: "'", second: "!" })}
        </p>
      )}
    </>
  );
}

/** The drawing: by default that with the piece's name, if there is one, and otherwise its letter. */
function ArtKey({ draft, kind }: { draft: OpenDraft; kind: PieceType }) {
  const path = ["pieces", kind.letter, "art"];
  const chosen = draft.textAt(path);
  const drawings = drawn.value ? drawingIds() : [];
  const [told, setTold] = useState<{ unusable?: Unusable; left?: string[] }>({});
  const take = async (file: File | undefined) => {
    if (!file) return;
    const found = file.size > MOST_FILE ? "large" : drawingOf(await file.text());
    if (typeof found === "string") setTold({ unusable: found });
    else {
      setTold({ left: found.left });
      draft.put(path, found.art);
    }
  };
  return (
    <details>
      <summary>
        {t("studio.piece.art")} <Key path={path} />
      </summary>
      <div class="together">
        <button type="button" aria-pressed={chosen === ""} onClick={() => draft.drop(path)}>
          {t("studio.piece.art.name")}
        </button>
        <label class="button">
          <Icon of={FileUp} size={18} /> {t("studio.piece.art.own")}
          <input
            type="file"
            class="hidden"
            accept=".svg,image/svg+xml"
            onChange={({ currentTarget }) => {
              void take(currentTarget.files?.[0]);
              currentTarget.value = "";
            }}
          />
        </label>
      </div>
      <p class="help">{t("studio.piece.art.own.help")}</p>
      {told.unusable && (
        <p class="fault" role="alert">
          {t(`studio.piece.art.${told.unusable}`)}
        </p>
      )}
      {told.left && told.left.length > 0 && (
        <p class="help" role="status">
          {t("studio.piece.art.left", { names: told.left.join(", ") })}
        </p>
      )}
      <div class="studio-drawings">
        {drawings.map((art) => (
          <button
            type="button"
            class="quiet"
            key={art}
            title={art}
            aria-label={art}
            aria-pressed={chosen === art}
            onClick={() => draft.put(path, art)}
          >
            <PieceDrawing kind={{ ...kind, art }} side="white" size={36} />
          </button>
        ))}
      </div>
    </details>
  );
}

/** The ids of the drawings that this page has. */
function drawingIds(): string[] {
  const symbols = document.querySelectorAll('symbol[id^="acedrex-w-"]:not([id^="acedrex-w--"])');
  return [...symbols].map((symbol) => symbol.id.slice("acedrex-w-".length));
}

/** The value; without one, the engine estimates it from how the piece moves. */
function Value({ draft, kind }: { draft: OpenDraft; kind: PieceType }) {
  const path = ["pieces", kind.letter, "value"];
  const now = draft.at(path);
  const estimate = draft.game.value?.game.values[kind.letter];
  const several = typeof now === "object";
  return (
    <div class="field">
      <label for="studio-value">
        {t("studio.piece.value")} <Key path={path} />
      </label>
      <input
        id="studio-value"
        type="number"
        min={0}
        step="any"
        disabled={several}
        value={typeof now === "number" ? String(now) : ""}
        placeholder={estimate !== undefined && !kind.royal ? (estimate / 100).toFixed(1) : ""}
        onChange={({ currentTarget: { value } }) => (value === "" ? draft.drop(path) : draft.put(path, Number(value)))}
      />
      <p class="help">{several ? t("studio.piece.value.several") : t("studio.piece.value.help")}</p>
    </div>
  );
}

/** The piece types that this one promotes to, in the order in which they were chosen. */
function Promotes({ draft, kind, pieceTypes }: { draft: OpenDraft; kind: PieceType; pieceTypes: PieceType[] }) {
  const path = ["pieces", kind.letter, "promotes_to"];
  const chosen = kind.promotes_to;
  const among = pieceTypes.filter((one) => one.letter !== kind.letter && !one.royal);
  if (among.length === 0 || kind.royal) return null;
  const toggle = (letter: string) => {
    const next = chosen.includes(letter) ? chosen.filter((one) => one !== letter) : [...chosen, letter];
    const stays = next.length > 0 || tableOf(draft.inherited(["pieces", kind.letter])).promotes_to !== undefined;
    if (stays) draft.put(path, next.join(" "));
    else draft.drop(path);
  };
  return (
    <fieldset>
      <legend>
        {t("studio.piece.promotes")} <Key path={path} />
      </legend>
      <div class="studio-kinds">
        {among.map((one) => (
          <label key={one.letter} class="check">
            <input type="checkbox" checked={chosen.includes(one.letter)} onChange={() => toggle(one.letter)} />
            <PieceDrawing kind={one} side="white" size={24} /> {one.name}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
