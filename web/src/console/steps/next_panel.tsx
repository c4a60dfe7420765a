/** The main line: what the dealer says, the next step as a large button, and its answer. */

import type { Step } from "../../protocol.ts";
import { Button } from "../../shell/index.ts";
import { said } from "../../words/said.ts";
import { cited, clock, number, useWords, type Words } from "../../words/words.ts";
import { capital } from "../../words/capital.ts";
import { useSecondsUntil } from "../../shell/countdown.ts";
import type { Desk, Reply, Unticked } from "../desk.ts";
import { stepOf, type Action } from "./next.ts";
import { Saying } from "./instructions.tsx";
import "./next_panel.css";

/** The line of the payout guide to do now, and the action that ticks it off. */
export interface Walk {
  readonly label: string;
  readonly done: () => void;
}

interface Props {
  readonly desk: Desk;
  /** Null if the guide is not worked through line by line, or is at its end. */
  readonly walk: Walk | null;
  /** Whether a command waits for a second person; it is shown beside this. */
  readonly waiting: boolean;
  /** Report that a die is not flat, found when the cover was lifted. */
  readonly onNotFlat: () => void;
}

export function NextPanel({ desk, walk, waiting, onNotFlat }: Props) {
  const t = useWords("console");
  const action = desk.action.value;
  return (
    <section class="console-next" aria-label={t("next_step")}>
      <Saying desk={desk} action={action} />
      <Go desk={desk} action={action} walk={walk} waiting={waiting} onNotFlat={onNotFlat} />
      <ReplyLine desk={desk} waiting={waiting} />
    </section>
  );
}

/** An action of the large button. */
type Pressed = Exclude<Action, { kind: "wait" | "faces" }>;
type T = Words<"console">;

/** What the table waits for, or why winners cannot be paid. */
function waits(t: T, desk: Desk, step: Step | null): string {
  const isPaying = desk.table.view.value?.form === "chips" && desk.table.view.value.phase === "confirmed";
  const paying = isPaying ? stepOf(desk.steps.value, "Settle") : null;
  if (step === null && paying?.sentence != null) return capital(paying.sentence);
  if (step === null) return t("wait_nothing");
  const blanks = { step: step.label };
  switch (step.by) {
    case "device":
      return t("wait_device", blanks);
    case "automatic-dealer":
      return t("wait_automatic", blanks);
    case "pit":
      return t("wait_pit", blanks);
    default:
      return t("wait_dealer", blanks);
  }
}

function Go({ desk, action, walk, waiting, onNotFlat }: Props & { readonly action: Action }) {
  const t = useWords("console");
  const opened = action.kind === "step" && desk.opened.value === action.step.command;
  const busy = action.step !== null && desk.unanswered.value.has(action.step.command);
  if (action.kind === "wait" || action.kind === "faces") {
    const wanted = action.kind === "faces";
    return (
      <p class="console-go console-go-none" data-wanted={wanted}>
        {wanted ? t.count("faces_missing", action.missing) : waiting ? t("waits_second") : waits(t, desk, action.step)}
      </p>
    );
  }
  return (
    <div class="console-go-row">
      <button
        type="button"
        class="console-go"
        aria-busy={busy}
        aria-expanded={action.step.give === null && action.kind === "step" ? opened : undefined}
        data-opened={opened}
        onClick={() => goOn(desk, action, walk)}
      >
        <span class="console-go-label">{goLabel(t, action, walk, desk.covered)}</span>
        <span class="console-go-foot">
          {desk.typing.value && <kbd class="console-kbd" aria-hidden="true">Esc</kbd>}
          <kbd class="console-kbd" aria-hidden="true">{t("key_space")}</kbd>
          {action.kind === "tumble" && <Count count={action.count} wanted={action.wanted} />}
          {action.step.clause != null && <span>{cited(t, action.step.clause)}</span>}
        </span>
      </button>
      {action.kind === "record" && <Found desk={desk} />}
      {action.kind === "flat" && (
        <Button onClick={onNotFlat}>
          {t("not_flat")}
        </Button>
      )}
    </div>
  );
}

/**
 * Buttons to report with the tumble that the dice do not lie as they should.
 *
 * Under a cover nobody can see how they lie; that is checked when it is lifted.
 */
function Found({ desk }: { readonly desk: Desk }) {
  const t = useWords("console");
  const { covered } = desk;
  return (
    <div class="console-go-others">
      {covered ? (
        <Button onClick={() => void desk.recordTumble({ flat: true, concealed: false })}>{t("dice_seen")}</Button>
      ) : (
        <Button onClick={() => void desk.recordTumble({ flat: false, concealed: false })}>{t("not_flat")}</Button>
      )}
      <Button
        onClick={() => {
          desk.tumbles.value += 1;
        }}
      >
        {t("tumble_more")}
      </Button>
    </div>
  );
}

function Count({ count, wanted }: { readonly count: number; readonly wanted: number }) {
  const t = useWords("console");
  return (
    <span class="console-count">
      {Array.from({ length: wanted }, (_, place) => (
        <span key={place} class={place < count ? "console-count-done" : ""} />
      ))}
      <span class="console-count-words">{t("count_of", { count, wanted })}</span>
    </span>
  );
}

function goLabel(t: T, action: Pressed, walk: Walk | null, covered: boolean): string {
  switch (action.kind) {
    case "tumble":
      return t("tumble_once");
    case "record":
      return t(covered ? "record_covered" : "record_flat", { count: number(action.count) });
    case "flat":
      return t("all_flat");
    case "walk":
      return walk?.label ?? action.step.label;
    case "step":
      return action.step.label;
  }
}

/** Carry out the action of the large button. */
export function goOn(desk: Desk, action: Action, walk: Walk | null): void {
  switch (action.kind) {
    case "wait":
    case "faces":
      return;
    case "tumble":
      return desk.tumble(action.step);
    case "record":
      void desk.recordTumble({ flat: true, concealed: desk.covered });
      return;
    case "flat":
      return desk.seenFlat();
    case "walk":
      return walk === null ? desk.take(action.step) : walk.done();
    case "step":
      return desk.take(action.step);
  }
}

/** The answer to the last press: refused with its clause, or waiting for a second person. */
function ReplyLine({ desk, waiting }: Pick<Props, "desk" | "waiting">) {
  const reply = desk.reply.value;
  const elsewhere = reply?.tone === "waits" && waiting;
  return (
    <div class="console-notice" role="status">
      {reply !== null && !elsewhere && <ReplyWords reply={reply} desk={desk} />}
    </div>
  );
}

/** How many lines that are not ticked off are named; the rest are counted. */
const NAMED_MAX = 4;

function UntickedLines({ lines }: { readonly lines: readonly Unticked[] }) {
  const t = useWords("console");
  if (lines.length === 0) return null;
  const more = lines.length - NAMED_MAX;
  return (
    <div class="console-waits">
      <p>{t.count("unticked", lines.length)}</p>
      <ul>
        {lines.slice(0, NAMED_MAX).map(({ about, words }) => (
          <li key={about}>{words}</li>
        ))}
        {more > 0 && <li>{t.count("unticked_more", more)}</li>}
      </ul>
    </div>
  );
}

function ReplyWords({ reply, desk }: { readonly reply: Reply; readonly desk: Desk }) {
  const t = useWords("console");
  const left = useSecondsUntil(reply.tone === "waits" ? reply.until : null, desk.now);
  switch (reply.tone) {
    case "refused":
      return (
        <p class="console-refused">
          {capital(said(reply.sentence))}
          {" "}
          {reply.clause !== null && <span class="console-clause">{cited(t, reply.clause)}</span>}
        </p>
      );
    case "declined":
      return <p class="console-refused">{t("was_declined", { person: reply.person })}</p>;
    case "unticked":
      return <UntickedLines lines={desk.unticked.value} />;
    case "flat-first":
      return <p class="console-refused">{t("flat_first")}</p>;
    case "waits":
      if (reply.until === null) return <p class="console-waits">{t("report_who")}</p>;
      if (left.value === 0) return <p class="console-refused">{t("waited_in_vain")}</p>;
      return (
        <p class="console-waits">{t("waits_until", { time: clock(reply.until), seconds: left.value ?? "" })}</p>
      );
  }
}
