import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { line } from "../shell/index.ts";
import { duration, useWords } from "../words/words.ts";

const TICK_MS = 1_000;
/** A line that is away for less than this is not worth a word. */
const GRACE_MS = 1_500;

/**
 * Says in large letters that what is shown is old, over everything: a countdown that nobody updates any
 * more must not look as if it ran. The shell's own banner is read to listeners.
 */
export function LostLine() {
  const t = useWords("display");
  const current = line.value;
  if (current?.status === "ended") {
    return (
      <div class="display-lost" aria-hidden="true">
        <p>
          {t("ended")} {current.why}
        </p>
      </div>
    );
  }
  return current?.status === "lost" ? <Away since={current.since} /> : null;
}

function Away({ since }: { readonly since: number }) {
  const t = useWords("display");
  const away = useSignal(performance.now() - since);
  useEffect(() => {
    const ticking = setInterval(() => {
      away.value = performance.now() - since;
    }, TICK_MS);
    return () => clearInterval(ticking);
  }, [since]);
  if (away.value < GRACE_MS) return null;
  return (
    <div class="display-lost" aria-hidden="true">
      <p>{t("lost", { ago: duration(away.value) })}</p>
    </div>
  );
}
