/** The line that a dealer keys, how it is understood, and the commands that the server refused. */

import { useId, useLayoutEffect, useRef } from "preact/hooks";

import { colourName } from "../../../layout/index.ts";
import { Button } from "../../../shell/index.ts";
import { said } from "../../../words/said.ts";
import { cited, money, number, useWords, type Words } from "../../../words/words.ts";
import { capital } from "../../../words/capital.ts";
import { markedOf, type Marked } from "../../money/counts/chips.ts";
import { ChipsDrawn } from "../payout/chips_drawn.tsx";
import { seatFaults, type Act, type Fault, type Understood } from "./line.ts";
import type { Recorder, Turned } from "./recorder.ts";
import "./record_line.css";

/** The most characters of a line: forty stacks need eight lines. */
const LETTERS_MAX = 400;

export function RecordLine({ recorder }: { readonly recorder: Recorder }) {
  const t = useWords("recording");
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  // Before anything is painted, since dealers key at once when bets open.
  useLayoutEffect(() => {
    recorder.shownIn(input.current);
    return () => {
      recorder.shownIn(null);
      recorder.desk.typing.value = false;
    };
  }, [recorder]);
  const { seat, understood } = recorder;
  const wrong = shownFaults(recorder).some((fault) => !fault.open) || recorder.pressed.value;
  return (
    <section class="rec-line" aria-label={t("line")}>
      <form
        class="rec-line-keys"
        onSubmit={(event) => {
          event.preventDefault();
          void recorder.send();
        }}
      >
        <label class="rec-line-seat" for={id}>
          {seat.value === null ? t("no_seat_yet") : t("seat", { seat: seat.value })}
        </label>
        <input
          ref={input}
          id={id}
          class="rec-line-input"
          value={recorder.line.value}
          maxLength={LETTERS_MAX}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          placeholder={t("line_example")}
          aria-describedby={`${id}-meant`}
          aria-invalid={wrong && understood.value.faults.length > 0 ? true : undefined}
          onInput={(event) => {
            recorder.key(event.currentTarget.value);
            // Remove a number that chose a seat from the input, even if `line` has not changed.
            event.currentTarget.value = recorder.line.value;
          }}
          onFocus={() => (recorder.desk.typing.value = true)}
          onBlur={() => (recorder.desk.typing.value = false)}
          onKeyDown={(event) => keyed(event, recorder)}
        />
        <Toggle name={t("oral")} sign="!" on={recorder.oral} />
        <Toggle name={t("on_behalf")} sign="@" on={recorder.onBehalf} />
        {recorder.canBeLate && <Toggle name={t("late")} sign="~" on={recorder.late} />}
        <Button kind="main" type="submit">
          {t(SEND[understood.value.act])}
        </Button>
      </form>
      <div id={`${id}-meant`} class="rec-line-meant">
        <Meant recorder={recorder} />
        <Faults recorder={recorder} />
      </div>
      <TurnedDown recorder={recorder} />
    </section>
  );
}

/** How long the layout may be read, why it is read late, and what is returned afterwards. */
export function Reading({ recorder }: { readonly recorder: Recorder }) {
  const t = useWords("recording");
  const table = recorder.chipTable.value;
  const returning = table?.returning ?? [];
  const late = table?.reading === "late";
  return (
    <section class="rec-reading" aria-label={t("reading")}>
      {table?.reading === "closed" && <p class="console-hint">{t("reading_closed")}</p>}
      {late && (
        <label class="rec-reading-late">
          <span>{t("reading_late")}</span>
          <input
            class="rec-line-input"
            value={recorder.reason.value}
            maxLength={LETTERS_MAX}
            placeholder={t("reading_reason")}
            onInput={({ currentTarget }) => (recorder.reason.value = currentTarget.value)}
          />
        </label>
      )}
      {returning.length > 0 && (
        <>
          <p class="console-hint">{t("returning")}</p>
          <ul class="rec-returning">
            {returning.map(([seat, box, amount]) => (
              <li key={`${seat} ${box}`}>{t("returning_line", { seat, box: recorder.nameOf(box), amount: money(amount) })}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

const SEND = {
  record: "send_record",
  "take-back": "send_take-back",
  correct: "send_correct",
  reject: "send_reject",
  advise: "send_advise",
  late: "send_late",
  separate: "send_separate",
} as const satisfies Record<Act, string>;

/** Keys in the line besides typing: change the seat, clear, leave. */
function keyed(event: KeyboardEvent, recorder: Recorder): void {
  const act = meant(event, recorder);
  if (act === null) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}

function meant(event: KeyboardEvent, recorder: Recorder): (() => void) | null {
  if (event.altKey && /^Digit\d$/.test(event.code)) {
    const digit = event.code.slice(-1);
    return () => recorder.select(digit === "0" ? "10" : digit);
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  switch (event.key) {
    case "ArrowDown":
      return () => recorder.step(1);
    case "ArrowUp":
      return () => recorder.step(-1);
    case "Escape":
      return () => (recorder.line.value === "" ? recorder.leaveKeys() : recorder.key(""));
    default:
      return null;
  }
}

interface ToggleProps {
  readonly name: string;
  readonly sign: string;
  readonly on: Recorder["oral"];
}

function Toggle({ name, sign, on }: ToggleProps) {
  return (
    <Button aria-pressed={on.value} class="rec-line-toggle" onClick={() => (on.value = !on.value)}>
      <kbd class="console-kbd" aria-hidden="true">
        {sign}
      </kbd>
      {name}
    </Button>
  );
}

/** The faults to show: those that typing may still correct are shown once Enter is pressed. */
function shownFaults({ line, seat, player, understood, pressed }: Recorder): readonly Fault[] {
  // After a tap on the layout with an empty line, the seat is what is wrong.
  if (line.value.trim() === "") return pressed.value ? seatFaults({ seat: seat.value, player: player.value }) : [];
  return understood.value.faults.filter((fault) => pressed.value || !fault.open);
}

function Meant({ recorder }: { readonly recorder: Recorder }) {
  const t = useWords("recording");
  const understood = recorder.understood.value;
  const { act, puts } = understood;
  const table = recorder.chipTable.value;
  const marked = table === null ? new Map<string, number>() : markedOf(table);
  if (recorder.line.value.trim() === "") return <Hint recorder={recorder} />;
  return (
    <>
      <p class="rec-meant-act" data-act={act}>
        <strong>{t(`act_${act}`)}</strong>
        <How understood={understood} />
      </p>
      <ul class="rec-meant-puts">
        {puts.map((put) => (
          <li key={put.box} class="rec-meant-put">
            <span class="rec-meant-box">{put.name}</span>
            {put.chips.length > 0 && <PutChips put={put} marked={marked} />}
            {act === "correct" && put.chips.length === 0 && t("nothing_there")}
          </li>
        ))}
      </ul>
      {puts.length > 1 && act !== "advise" && act !== "separate" && (
        <p class="rec-meant-sum">{t("sum", { amount: money(puts.reduce((sum, put) => sum + put.amount, 0)) })}</p>
      )}
    </>
  );
}

/** Faults are also announced; how each letter is understood is not. */
function Faults({ recorder }: { readonly recorder: Recorder }) {
  const t = useWords("recording");
  const names = useWords("layout");
  return (
    <div class="rec-meant-faults" role="status">
      {shownFaults(recorder).map((fault, place) => (
        <p key={place} class="rec-meant-fault">
          {faultSentence(t, names, fault)}
        </p>
      ))}
    </div>
  );
}

/** Words beside an action: how the bet was placed, and why a record is corrected. */
function How({ understood }: { readonly understood: Understood }) {
  const t = useWords("recording");
  const { act, oral, onBehalf, note } = understood;
  const came = [oral && t("oral"), onBehalf && t("on_behalf")];
  const signs = act === "record" ? came : [note !== "" && t("quoted", { note })];
  const words = signs.filter((each) => typeof each === "string");
  return words.map((each) => (
    <span key={each} class="rec-meant-how">
      {each}
    </span>
  ));
}

interface PutProps {
  readonly put: Understood["puts"][number];
  readonly marked: Marked;
}

function PutChips({ put, marked }: PutProps) {
  return (
    <>
      <ChipsDrawn chips={put.chips} marked={marked} />
      <span class="rec-meant-amount">{money(put.amount)}</span>
    </>
  );
}

function Hint({ recorder }: { readonly recorder: Recorder }) {
  const t = useWords("recording");
  const seat = recorder.seat.value;
  const player = recorder.player.value;
  if (seat === null) return <p class="console-hint">{t("hint_seat")}</p>;
  // After a tap it is shown as a fault instead.
  if (player === null && recorder.pressed.value) return null;
  if (player === null) return <p class="console-hint">{t("seat_free", { seat })}</p>;
  return <p class="console-hint">{player.colour === null ? t("hint_value") : t("hint_colour")}</p>;
}

export function faultSentence(t: Words<"recording">, names: Words<"layout">, { code, blanks, cents }: Fault): string {
  const colour = typeof blanks["colour"] === "string" ? { colour: colourName(names, blanks["colour"]) } : {};
  return t(code, { ...blanks, ...colour, ...(cents === undefined ? {} : { least: money(cents) }) });
}

/** The refused lines, each with its reason, until the dealer has dealt with them. */
function TurnedDown({ recorder }: { readonly recorder: Recorder }) {
  return (
    <div role="alert" class="rec-turned">
      {recorder.turned.value.map((each) => (
        <TurnedLine key={each.id} turned={each} recorder={recorder} />
      ))}
    </div>
  );
}

function TurnedLine({ turned, recorder }: { readonly turned: Turned; readonly recorder: Recorder }) {
  const t = useWords("recording");
  const console = useWords("console");
  const { id, seat, line, clause } = turned;
  const sentence = said(turned.sentence);
  return (
    <p class="rec-turned-line">
      <span>
        <strong>{t("seat", { seat })}</strong> {line !== null && <code>{line}</code>} {capital(sentence)}
        {clause !== null && <span class="console-clause"> {cited(console, clause)}</span>}
      </span>
      {line !== null && line !== recorder.line.value && (
        <Button
          onClick={() => {
            recorder.takeUp(turned);
            recorder.takeKeys();
          }}
        >
          {t("take_up")}
        </Button>
      )}
      <Button kind="quiet" aria-label={t("put_away")} onClick={() => recorder.putAway(id)}>
        ✕
      </Button>
    </p>
  );
}

/** How many seats have anything, announced when it changes. */
export function stakedSentence(t: Words<"recording">, recorder: Recorder): string {
  const table = recorder.chipTable.value;
  if (table === null) return "";
  const sum = table.stacks.reduce((before, each) => before + each.amount, 0);
  const sentence = t.count("stacks", table.stacks.length, { amount: money(sum), seats: number(table.seats.length) });
  const more = table.more_stacks ?? 0;
  return more === 0 ? sentence : `${sentence} ${t.count("more_stacks", more)}`;
}
