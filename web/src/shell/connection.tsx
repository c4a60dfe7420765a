/** The state of the connection to the server, and the banner that shows while it is lost. */

import { effect, signal, useComputed, useSignal, type ReadonlySignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import type { Behind, Link, Status } from "../live/index.ts";
import { duration, number, useWords } from "../words/words.ts";
import { Button } from "./controls/button.tsx";
import "./connection.css";

interface Line {
  readonly status: Status;
  /** Why it ended, in the server's words. */
  readonly why: string | null;
  /** When it was lost, by the browser's steady time. */
  readonly since: number;
  /** How far the venue ends before the newest checkpoint that this screen has seen. */
  readonly behind: Behind | null;
}

const current = signal<Line | null>(null);

/** The connection of the screen; null for a screen without one. */
export const line: ReadonlySignal<Line | null> = current;

/** Show a link's state in the banner; returns a function that ends this. */
export function followLine(link: Link): () => void {
  let since = performance.now();
  let was: Status = "connecting";
  const end = effect(() => {
    const status = link.status.value;
    if (status === "lost" && was !== "lost") since = performance.now();
    was = status;
    current.value = { status, why: link.why.value, since, behind: link.behind.value };
  });
  return () => {
    end();
    current.value = null;
  };
}

/** How often the seconds on the banner are counted. */
const TICK_MS = 1_000;
/** A connection lost for less than this is not reported. */
const GRACE_MS = 400;

/** Says that the connection is lost or ended, or that the venue is behind; else shows nothing. */
export function LineBanner() {
  const status = useComputed(() => current.value?.status ?? null);
  const behind = useComputed(() => current.value?.behind ?? null);
  if (status.value === "lost") return <Lost />;
  if (status.value === "ended") return <Ended />;
  return behind.value === null ? null : <EndsBefore {...behind.value} />;
}

/** Says that the venue's journal ends before what this screen has seen; the pit is notified too. */
function EndsBefore({ seen, ends }: Behind) {
  const t = useWords("shell");
  const read = useSignal(false);
  if (read.value) return null;
  return (
    <section class="line line-behind" aria-label={t("line")}>
      <p role="alert">{t("line_behind", { seen: number(seen), ends: number(ends) })}</p>
      <Button
        onClick={() => {
          read.value = true;
        }}
      >
        {t("line_behind_read")}
      </Button>
    </section>
  );
}

function Lost() {
  const t = useWords("shell");
  const away = useSignal(0);
  useEffect(() => {
    const look = (): void => {
      away.value = performance.now() - (current.peek()?.since ?? performance.now());
    };
    const first = setTimeout(look, GRACE_MS);
    const ticking = setInterval(look, TICK_MS);
    return () => {
      clearTimeout(first);
      clearInterval(ticking);
    };
  }, []);
  if (away.value < GRACE_MS) return null;
  return (
    <section class="line line-lost" aria-label={t("line")}>
      {/* A screen reader reads the sentence once, without the running seconds. */}
      <p role="alert">{t("line_lost")}</p>
      <p aria-hidden="true" class="line-away">
        {duration(away.value)}
      </p>
    </section>
  );
}

function Ended() {
  const t = useWords("shell");
  return (
    <section class="line line-ended" aria-label={t("line")}>
      <p role="alert">
        {t("line_ended")} {current.value?.why}
      </p>
      <Button onClick={() => location.reload()}>{t("load_again")}</Button>
    </section>
  );
}
