/** The connection to the server: whether it is there, and what is shown while it is not. */

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
  /** Since when it has been away, by the browser's own steady time. */
  readonly since: number;
  /** How far the venue ends before what this screen was told of. */
  readonly behind: Behind | null;
}

const current = signal<Line | null>(null);

/** The line of the screen; null where a screen has none. */
export const line: ReadonlySignal<Line | null> = current;

/** Have the banner follow a link, as the one line of the screen; gives what ends that. */
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
/** A line that is away for less than this is not worth a word. */
const GRACE_MS = 400;

/** Says that the line is lost or ended, or what it leads to is not the newest; silent while all is well. */
export function LineBanner() {
  const status = useComputed(() => current.value?.status ?? null);
  const behind = useComputed(() => current.value?.behind ?? null);
  if (status.value === "lost") return <Lost />;
  if (status.value === "ended") return <Ended />;
  return behind.value === null ? null : <EndsBefore {...behind.value} />;
}

/** The venue has less than this screen was told of; the pit hears of it too. */
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
      {/* The sentence is said once; the seconds that run are for those who look. */}
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
