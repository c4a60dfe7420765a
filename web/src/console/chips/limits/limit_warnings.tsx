/** Bets outside the limits while bets are open: why, by which clause, and what may be done. */

import { useEffect, useRef } from "preact/hooks";

import type { LimitNotice } from "../../../protocol.ts";
import { Button } from "../../../shell/index.ts";
import { cited, money, useWords } from "../../../words/words.ts";
import { capital } from "../../../words/capital.ts";
import { markedOf } from "../../money/counts/chips.ts";
import { ChipsDrawn } from "../payout/chips_drawn.tsx";
import { keyOf } from "./excess.ts";
import type { Recorder } from "../record/recorder.ts";
import "./limit_warnings.css";

export function Notices({ recorder }: { readonly recorder: Recorder }) {
  const t = useWords("recording");
  const notices = recorder.chipTable.value?.notices ?? [];
  const within = useSteadyFocus(recorder, notices);
  const more = recorder.chipTable.value?.more_notices ?? 0;
  if (notices.length === 0) return null;
  const move = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const acts = keyed(event, recorder);
    if (acts !== null) {
      event.preventDefault();
      event.stopPropagation();
      acts();
    } else if (by !== undefined && event.currentTarget instanceof HTMLElement) {
      event.preventDefault();
      const lines = [...event.currentTarget.querySelectorAll<HTMLElement>(".rec-notice")];
      const at = lines.findIndex((line) => line.contains(document.activeElement));
      lines[(at + by + lines.length) % lines.length]?.focus();
    }
  };
  return (
    <section class="rec-notices" aria-label={t("outside_limits")}>
      <ul role="list" onKeyDown={move} {...within}>
        {notices.map((notice, place) => (
          <Line key={keyOf(notice)} notice={notice} place={place} recorder={recorder} />
        ))}
      </ul>
      {more > 0 && <p class="console-hint">{t.count("more_lines", more)}</p>}
    </section>
  );
}

/** Move the focus from a notice that is gone to the next one, or to the line. */
function useSteadyFocus(recorder: Recorder, notices: readonly LimitNotice[]) {
  const within = useRef(false);
  useEffect(() => {
    if (!within.current || document.activeElement !== document.body) return;
    const next = document.querySelector<HTMLElement>(".rec-notice:not([data-seen])");
    within.current = next !== null;
    if (next == null) recorder.takeKeys();
    else next.focus();
  }, [notices]);
  return {
    onFocusIn: () => {
      within.current = true;
    },
    // An element that is removed while it has the focus leaves the focus nowhere.
    onFocusOut: (event: FocusEvent) => {
      if (event.relatedTarget !== null) within.current = false;
    },
  };
}

/** Keys for the notice in focus: R rejects, A advises, L leaves it. */
function keyed(event: KeyboardEvent, recorder: Recorder): (() => void) | null {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return null;
  const line = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>(".rec-notice") : null;
  const place = line?.dataset["place"];
  const notice = place === undefined ? undefined : recorder.chipTable.value?.notices[Number(place)];
  if (notice === undefined) return null;
  switch (event.key.toLowerCase()) {
    case "escape":
      return () => recorder.takeKeys();
    case "r":
      return () => void recorder.reject(notice);
    case "a":
      return () => void recorder.advise(notice);
    case "l":
      return () => recorder.leave(notice);
    default:
      return null;
  }
}

interface LineProps {
  readonly notice: LimitNotice;
  readonly place: number;
  readonly recorder: Recorder;
}

function Line({ notice, place, recorder }: LineProps) {
  const t = useWords("recording");
  const words = useWords("console");
  const { seat, outside, sentence, clause } = notice;
  const seen = recorder.seenOf(notice);
  return (
    <li class="rec-notice" data-outside={outside} data-seen={seen} data-place={place} tabIndex={0}>
      <span class="rec-notice-sign" aria-hidden="true">
        {outside === "minimum" ? "▼" : "▲"}
      </span>
      <span class="rec-notice-words">
        {seat !== null && <strong>{t("seat", { seat })}: </strong>}
        {capital(sentence)}
        {clause !== null && <span class="console-clause"> {cited(words, clause)}</span>}
        {seen !== undefined && <em class="rec-notice-seen"> {t(`seen_${seen}`)}</em>}
      </span>
      <span class="rec-notice-acts">
        {outside !== "minimum" && <Reject notice={notice} recorder={recorder} />}
        {outside === "minimum" && seen !== "advised" && (
          <Button onClick={() => void recorder.advise(notice)}>
            <Key name="A" />
            {t("advise")}
          </Button>
        )}
        {seen === undefined && (
          <Button kind="quiet" onClick={() => recorder.leave(notice)}>
            <Key name="L" />
            {t("leave")}
          </Button>
        )}
      </span>
    </li>
  );
}

function Key({ name }: { readonly name: string }) {
  return (
    <kbd class="console-kbd" aria-hidden="true">
      {name}
    </kbd>
  );
}

/** The button to reject, with the chips that would be given back: the newest first. */
function Reject({ notice, recorder }: Omit<LineProps, "place">) {
  const t = useWords("recording");
  const names = useWords("layout");
  const table = recorder.chipTable.value;
  const proposals = recorder.proposals(notice);
  if (table === null || proposals.length === 0) return <span class="console-hint">{t("reject_none")}</span>;
  return (
    <Button class="rec-notice-reject" onClick={() => void recorder.reject(notice)}>
      <Key name="R" />
      {t("reject")}
      {proposals.map(({ seat, chips, amount }) => (
        <span key={seat} class="rec-notice-back">
          {t("seat", { seat })}
          {names("comma")}
          {money(amount)} <ChipsDrawn chips={chips} marked={markedOf(table)} named={false} />
        </span>
      ))}
    </Button>
  );
}
