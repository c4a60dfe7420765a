import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { line } from "../shell/index.ts";
import { duration, useWords } from "../words/words.ts";

const TICK_MS = 1_000;
/** A connection lost for less than this is not reported. */
const GRACE_MS = 1_500;

/**
 * Says in large letters over everything that the screen is out of date: a countdown without
 * updates must not look as if it ran. Screen readers read the shell's own banner instead.
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
