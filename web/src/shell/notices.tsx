/**
 * Short notices: something was done, waits, or was refused.
 *
 * They appear in the bar of every screen, one after another, and go by themselves; the list shows
 * them again. A notice never covers a control.
 */

import { effect, signal, untracked } from "@preact/signals";
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";

import { said } from "../words/said.ts";
import { clock, number, useWords } from "../words/words.ts";
import { announce } from "./announcer.tsx";
import { Button } from "./controls/button.tsx";
import { Dialog } from "./controls/dialog.tsx";
import { Notes } from "./controls/icons.tsx";
import { freePlace, type Place } from "./free_place.ts";
import "./notices.css";

export type Kind = "done" | "waits" | "refused";

interface Notice {
  readonly number: number;
  /** Its text, in the present language. */
  readonly text: () => string;
  readonly kind: Kind;
  readonly at: number;
}

/** The most notices in the list; the oldest is removed first. */
const KEPT_MAX = 30;
/** A slow reader needs 60 ms a letter; everybody needs five seconds to notice it. */
const LEAST_MS = 5_000;
const LETTER_MS = 60;
/** How long a notice stays while others wait. */
const TURN_MS = 3_000;
/** How often a notice over the page is checked for controls below it. */
const LOOK_MS = 400;
const MARKS: Readonly<Record<Kind, string>> = { done: "✓", waits: "◷", refused: "✕" };

/** Notices still to be shown; the first one is shown now. */
const waiting = signal<readonly Notice[]>([]);
const kept = signal<readonly Notice[]>([]);
/** How many came since the list was last opened. */
const unread = signal(0);
/** Whether the pointer or the focus is on the notice: then it stays. */
const held = signal(false);
let count = 0;

/** Show and announce a notice: a noted sentence, or a function that makes one in any language. */
export function notify(words: string | (() => string), kind: Kind = "done"): void {
  const text = typeof words === "string" ? () => said(words) : words;
  const notice = { number: ++count, text, kind, at: Date.now() };
  waiting.value = [...waiting.peek(), notice].slice(-KEPT_MAX);
  kept.value = [notice, ...kept.peek()].slice(0, KEPT_MAX);
  unread.value += 1;
  announce(untracked(text));
}

function putAway(number: number): void {
  waiting.value = waiting.peek().filter((each) => each.number !== number);
}

/** Remove the present notice after its time; a refusal stays twice as long. */
effect(() => {
  const [now, ...others] = waiting.value;
  if (now === undefined || held.value) return;
  const whole = (LEAST_MS + LETTER_MS * untracked(now.text).length) * (now.kind === "refused" ? 2 : 1);
  const timer = setTimeout(() => putAway(now.number), others.length > 0 ? TURN_MS : whole);
  return () => clearTimeout(timer);
});

/** The present notice, in the bar. */
export function NoticeNow() {
  const now = waiting.value[0];
  return now === undefined ? null : <Shown key={now.number} notice={now} />;
}

function Shown({ notice }: { readonly notice: Notice }) {
  const t = useWords("shell");
  const box = useRef<HTMLElement>(null);
  const place = useSignal<Place | "bar" | null>("bar");
  useLayoutEffect(() => {
    const look = (): void => {
      if (box.current !== null) place.value = placeOf(box.current);
    };
    look();
    const looking = setInterval(look, LOOK_MS);
    addEventListener("scroll", look, { passive: true });
    return () => {
      clearInterval(looking);
      removeEventListener("scroll", look);
      held.value = false;
    };
  }, []);
  const { text, kind } = notice;
  const at = place.value;
  const style = at === null || at === "bar" ? {} : { left: `${at.left}px`, top: `${at.top}px`, width: `${at.width}px` };
  return (
    <section
      ref={box}
      class={`notice notice-${kind}`}
      data-place={at === "bar" ? "bar" : at === null ? "none" : "free"}
      style={style}
      aria-label={t("notice")}
      onPointerEnter={() => (held.value = true)}
      onPointerLeave={() => (held.value = false)}
      onFocusIn={() => (held.value = true)}
      onFocusOut={() => (held.value = false)}
    >
      <span class="notice-mark" aria-hidden="true">
        {MARKS[kind]}
      </span>
      <span class="notice-text">{text()}</span>
      <Button kind="quiet" aria-label={t("close")} onClick={() => putAway(notice.number)}>
        ✕
      </Button>
    </section>
  );
}

/** The bar if it is in view; otherwise a place on the page without controls. */
function placeOf(notice: HTMLElement): Place | "bar" | null {
  const bar = notice.closest(".top");
  if (bar === null || (!bar.matches(".top-away") && bar.getBoundingClientRect().top >= 0)) return "bar";
  return freePlace(notice);
}

/** The button that opens the list, shown once there was a notice. */
export function NoticeTool() {
  const t = useWords("shell");
  const opened = useSignal(false);
  if (kept.value.length === 0) return null;
  const label = unread.value === 0 ? t("notices") : t.count("notices_new", unread.value);
  const open = (): void => {
    opened.value = true;
    unread.value = 0;
    waiting.value = [];
  };
  return (
    <>
      <Button kind="quiet" class="top-tool notice-tool" title={label} aria-label={label} onClick={open}>
        <Notes />
        {unread.value > 0 && (
          <span class="notice-count" aria-hidden="true">
            {number(unread.value)}
          </span>
        )}
      </Button>
      {opened.value && (
        <Dialog title={t("notices")} onClose={() => (opened.value = false)}>
          <ol class="notice-list">
            {kept.value.map(({ number: each, text, kind, at }) => (
              <li key={each} class={`notice-${kind}`}>
                <span class="notice-mark" aria-hidden="true">
                  {MARKS[kind]}
                </span>
                <span>{text()}</span>
                <time>{clock(at)}</time>
              </li>
            ))}
          </ol>
        </Dialog>
      )}
    </>
  );
}
