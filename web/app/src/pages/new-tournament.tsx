import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { api, at, identity, type Refusal } from "../client";
import * as tournaments from "../client/tournaments";
import { t } from "../i18n";
import { Check, Choices, NumberField } from "../parts/choices";
import { useGame } from "../parts/games";
import { Show, Trouble, useLoaded } from "../parts/loaded";
import { Options } from "../parts/options";
import { Page } from "../parts/page";
import { TimeChoice } from "../parts/time-choice";
import { refusal, thrownRefusal } from "../refusal";
import { DescriptionField, NameField } from "../tournaments/fields";
import { tieBreakText } from "../tournaments/texts";
import type {
  GameSummary,
  TieBreak,
  TimeControl,
  TournamentKind,
  TournamentList,
  NewTournament as Wanted,
} from "../wire";
import "../style/tournaments.css";

const MAX_TIE_BREAKS = 6;
type SetupBy = "choose" | "random" | "number";
type Pace = "live" | "appointment" | "slow";

/** The page where a tournament is made. */
export function NewTournament() {
  const loaded = useLoaded((signal) => Promise.all([api.games(signal), tournaments.listed(null, signal)]));
  return (
    <Page title={t("tournament.new")} lead={t("tournament.new.lead")}>
      <Show loaded={loaded}>{([games, list]) => <Form games={games} list={list} />}</Show>
    </Page>
  );
}

/** A moment as a field for date and time has it, in the browser's time zone. */
export function localMoment(at: number): string {
  const offset = new Date(at).getTimezoneOffset() * 60_000;
  return new Date(at - offset).toISOString().slice(0, 16);
}

const soon = () => Math.ceil((Date.now() + 30 * 60_000) / 900_000) * 900_000;

function Form({ games, list }: { games: GameSummary[]; list: TournamentList }) {
  const { route } = useLocation();
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [kind, setKind] = useState<TournamentKind>("swiss");
  const [gameId, setGame] = useState(games[0]?.id ?? "");
  const [options, setOptions] = useState<Record<string, string>>({});
  const [pace, setPace] = useState<Pace>("live");
  const [time, setTime] = useState<TimeControl>({ kind: "fischer", initial_ms: 600_000, increment_ms: 10_000 });
  const [startsAt, setStart] = useState(soon);
  const [rated, setRated] = useState(true);
  const [setupBy, setSetupBy] = useState<SetupBy>("random");
  const [number, setNumber] = useState(1);
  const [fen, setFen] = useState("");
  const [count, setCount] = useState({
    rounds: 5,
    cycles: 1,
    minutes: 60,
    games: 1,
    max: 32,
    fill: 0,
    byes: 1,
    pause: 30,
    days: 7,
  });
  const [hostSide, setHostSide] = useState<"both" | "white" | "black">("both");
  const [lateEntry, setLate] = useState(true);
  const [tieBreaks, setTieBreaks] = useState<TieBreak[] | null>(null);
  const [error, setError] = useState<Refusal | null>(null);
  const [busy, setBusy] = useState(false);
  const { value } = useGame(gameId);
  const game = value?.id === gameId ? value : undefined;
  const set = (part: Partial<typeof count>) => setCount((before) => ({ ...before, ...part }));
  const paces: Pace[] =
    kind === "arena" ? ["live"] : kind === "simul" ? ["live", "slow"] : ["live", "appointment", "slow"];
  const ours = paces.includes(pace) ? pace : "live";
  const canRate = kind !== "simul" && !fen && identity.value?.account === true;
  const limits = list.kinds.find((one) => one.kind === kind);
  const most = limits?.max_players ?? 2;
  const usual = limits?.tie_breaks ?? [];
  const chosen = tieBreaks ?? usual;

  const send = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      let setup: string | null = null;
      if (game?.setup && !fen) setup = setupBy === "number" ? (await api.setup(game.id, number)).name : setupBy;
      if (time.kind === "none") throw refusal("broken");
      const body: Wanted = {
        name: name.trim(),
        description: description.trim(),
        settings: {
          kind,
          game: { game: gameId, options },
          time,
          starts_at: startsAt,
          rated: rated && canRate,
          setup,
          fen: fen.trim() || null,
          games: kind === "arena" || kind === "simul" ? 1 : count.games,
          max_players: Math.min(count.max, most),
          rounds: count.rounds,
          cycles: count.cycles,
          minutes: count.minutes,
          pause_s: count.pause,
          appointment_days: ours === "appointment" ? count.days : null,
          host_side: hostSide === "both" ? null : hostSide,
          fill: count.fill,
          late_entry: lateEntry,
          byes: count.byes,
          tie_breaks: usual.length > 0 ? chosen : [],
        },
      };
      const made = await tournaments.make(body);
      route(at(`/tournaments/${made.tournament}`));
    } catch (problem) {
      setError(thrownRefusal(problem));
      setBusy(false);
    }
  };

  return (
    <form class="new-tournament" onSubmit={send}>
      <NameField value={name} onChange={setName} />
      <Choices
        legend={t("tournament.kind")}
        value={kind}
        among={list.kinds.map(({ kind }) => ({ value: kind, label: t(`tournament.kind.${kind}`) }))}
        onChange={(value) => {
          setKind(value);
          setTieBreaks(null);
        }}
        help={t(`tournament.kind.${kind}.help`)}
      />
      <div class="field">
        <label for="game">{t("new.game")}</label>
        <select
          id="game"
          value={gameId}
          onChange={(event) => {
            setGame(event.currentTarget.value);
            setOptions({});
            setFen("");
          }}
        >
          {games.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </select>
      </div>
      {paces.length > 1 && (
        <Choices
          legend={t("tournament.pace")}
          value={ours}
          among={paces.map((value) => ({ value, label: t(`tournament.pace.${value}`) }))}
          onChange={(value) => {
            setPace(value);
            const isSlow = value === "slow";
            if (isSlow !== (time.kind === "correspondence"))
              setTime(
                isSlow
                  ? { kind: "correspondence", days_per_turn: 3, reserve_days: 14 }
                  : { kind: "fischer", initial_ms: 600_000, increment_ms: 10_000 },
              );
          }}
          help={t(`tournament.pace.${ours}.help`)}
        />
      )}
      {ours === "slow" ? (
        <div class="field">
          <span class="name">{t("time.clock")}</span>
          {time.kind === "correspondence" && (
            <div class="together own-time">
              <NumberField
                label={t("time.daysPerTurn")}
                min={1}
                max={30}
                value={time.days_per_turn}
                onChange={(days) => setTime({ ...time, days_per_turn: Math.round(days) })}
              />
              <NumberField
                label={t("time.reserveDays")}
                min={0}
                max={90}
                value={time.reserve_days}
                onChange={(days) => setTime({ ...time, reserve_days: Math.round(days) })}
              />
            </div>
          )}
        </div>
      ) : (
        <TimeChoice value={time} correspondence={false} clocked onChange={setTime} />
      )}
      <div class="field">
        <label for="starts">{t("tournament.starts")}</label>
        <input
          id="starts"
          type="datetime-local"
          required
          value={localMoment(startsAt)}
          onChange={(event) => {
            const at = Date.parse(event.currentTarget.value);
            if (Number.isFinite(at)) setStart(at);
          }}
        />
      </div>
      <div class="numbers">
        {kind === "swiss" && (
          <NumberField
            label={t("tournament.rounds.label")}
            min={1}
            max={15}
            value={count.rounds}
            onChange={(rounds) => set({ rounds: Math.round(rounds) })}
          />
        )}
        {kind === "round_robin" && (
          <NumberField
            label={t("tournament.cycles")}
            min={1}
            max={2}
            value={count.cycles}
            onChange={(cycles) => set({ cycles: Math.round(cycles) })}
          />
        )}
        {kind === "arena" && (
          <NumberField
            label={t("tournament.minutes")}
            min={5}
            max={720}
            value={count.minutes}
            onChange={(minutes) => set({ minutes: Math.round(minutes) })}
          />
        )}
        {kind !== "arena" && kind !== "simul" && (
          <NumberField
            label={t(kind === "knockout" ? "tournament.bestOf" : "tournament.games")}
            min={1}
            max={9}
            value={count.games}
            onChange={(games) => set({ games: Math.round(games) })}
          />
        )}
        <NumberField
          label={t("tournament.max")}
          min={2}
          max={most}
          value={Math.min(count.max, most)}
          onChange={(max) => set({ max: Math.round(max) })}
        />
        {ours === "appointment" && (
          <NumberField
            label={t("tournament.days")}
            min={1}
            max={60}
            value={count.days}
            onChange={(days) => set({ days: Math.round(days) })}
          />
        )}
        <NumberField
          label={t("tournament.fill")}
          min={0}
          max={16}
          value={count.fill}
          onChange={(fill) => set({ fill: Math.round(fill) })}
        />
      </div>
      {kind === "simul" && (
        <Choices
          legend={t("tournament.hostSide")}
          value={hostSide}
          among={(["both", "white", "black"] as const).map((value) => ({
            value,
            label: t(value === "both" ? "tournament.hostSide.both" : `new.side.${value}`),
          }))}
          onChange={setHostSide}
        />
      )}
      {game?.setup && !fen && (
        <Choices
          legend={t("new.setup")}
          value={setupBy}
          among={(["random", "choose", "number"] as const).map((value) => ({
            value,
            label: t(value === "number" ? "tournament.setup.number" : `new.setup.${value}`),
          }))}
          onChange={setSetupBy}
          help={t(`tournament.setup.${setupBy}.help`)}
        />
      )}
      {game?.setup && setupBy === "number" && !fen && (
        <div class="field">
          <NumberField
            label={t("new.setup.which", { count: game.setup.count })}
            value={number}
            min={1}
            max={game.setup.count}
            onChange={(value) => setNumber(Math.round(value))}
          />
        </div>
      )}
      {canRate && <Check label={t("new.rated")} checked={rated} onChange={setRated} />}
      <details>
        <summary>{t("tournament.more")}</summary>
        <DescriptionField value={description} onChange={setDescription} />
        <div class="field">
          <label for="fen">{t("tournament.fen")}</label>
          <input id="fen" value={fen} maxLength={4096} onInput={(event) => setFen(event.currentTarget.value)} />
          <p class="help">{t("tournament.fen.help")}</p>
        </div>
        {(kind === "swiss" || kind === "arena") && (
          <Check label={t("tournament.late")} checked={lateEntry} onChange={setLate} />
        )}
        <div class="numbers">
          {kind === "swiss" && (
            <NumberField
              label={t("tournament.byes")}
              min={0}
              max={3}
              value={count.byes}
              onChange={(byes) => set({ byes: Math.round(byes) })}
            />
          )}
          {ours === "live" && kind !== "arena" && kind !== "simul" && (
            <NumberField
              label={t("tournament.pause")}
              min={0}
              max={3600}
              value={count.pause}
              onChange={(pause) => set({ pause: Math.round(pause) })}
            />
          )}
        </div>
        {usual.length > 0 && <TieBreakField among={list.tie_breaks} chosen={chosen} onChange={setTieBreaks} />}
        {game && game.options.length > 0 && <Options game={game} options={options} onChange={setOptions} explained />}
      </details>
      {error && <Trouble error={error} />}
      <div class="start">
        <button type="submit" class="primary wide-button" disabled={busy || !game}>
          {t("tournament.make")}
        </button>
      </div>
    </form>
  );
}

function TieBreakField({
  among,
  chosen,
  onChange,
}: {
  among: TieBreak[];
  chosen: TieBreak[];
  onChange: (chosen: TieBreak[]) => void;
}) {
  return (
    <fieldset>
      <legend>{t("tournament.tieBreaks")}</legend>
      <div class="tie-breaks">
        {among.map((name) => {
          const place = chosen.indexOf(name);
          return (
            <label key={name} class="check">
              <input
                type="checkbox"
                checked={place >= 0}
                disabled={place < 0 && chosen.length >= MAX_TIE_BREAKS}
                onChange={() => onChange(place >= 0 ? chosen.filter((one) => one !== name) : [...chosen, name])}
              />
              {place >= 0 && <span class="muted figures">{place + 1}.</span>} {tieBreakText(name)}
            </label>
          );
        })}
      </div>
      <p class="help">{t("tournament.tieBreaks.help")}</p>
    </fieldset>
  );
}
