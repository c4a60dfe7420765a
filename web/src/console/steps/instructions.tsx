/** The part above the large button: what to say aloud, what to do by hand, the dice. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { DiceRow, DieFace, Tumbler } from "../../layout/index.ts";
import { useWords, type Words } from "../../words/words.ts";
import { capital } from "../../words/capital.ts";
import { useSecondsUntil } from "../../shell/countdown.ts";
import type { Desk } from "../desk.ts";
import { ECHO, type Action } from "./next.ts";

/** The words to say aloud now, or those said last, and the dice once there are any. */
export function Saying({ desk, action }: { readonly desk: Desk; readonly action: Action }) {
  const t = useWords("console");
  const view = desk.table.view.value;
  if (view === null) return <div class="console-say" />;
  if (view.faces !== null) {
    return (
      <div class="console-say console-say-dice">
        <DiceRow faces={view.faces} call={view.call} />
        <p class="console-say-words">{capital(view.call ?? "")}</p>
      </div>
    );
  }
  const { echo } = desk;
  const entering = action.kind === "faces" || (action.kind === "step" && action.step.command === "EnterResult");
  if (entering && echo.value.length > 0) {
    return (
      <div class="console-say console-say-dice">
        <Echo faces={echo.value} />
        <p class="console-say-how">{t("to_enter")}</p>
      </div>
    );
  }
  if (desk.table.closesAt.value !== null) return <TimeLeft desk={desk} />;
  const words = action.kind === "step" ? action.step.words : null;
  return (
    <div class="console-say">
      {words == null ? (
        <>
          <Dome desk={desk} action={action} />
          <p class="console-say-quiet">{handsSay(t, action, desk.covered)}</p>
        </>
      ) : (
        <>
          <p class="console-say-how">{t("say_aloud")}</p>
          <p class="console-say-words" lang="en">
            {t("quoted", { words })}
          </p>
        </>
      )}
    </div>
  );
}

/** The automatic dealer's countdown, as large as the dice will be. */
function TimeLeft({ desk }: { readonly desk: Desk }) {
  const t = useWords("console");
  const left = useSecondsUntil(desk.table.closesAt.value, desk.now);
  return (
    <div class="console-say">
      <p class="console-say-count" role="timer">
        {left.value}
      </p>
      <p class="console-say-how">{t("until_closed")}</p>
    </div>
  );
}

/** How long the dome shows that it was set off. */
const ROLLS_MS = 700;

/** The tumbler, while it is used or about to be. */
function Dome({ desk, action }: { readonly desk: Desk; readonly action: Action }) {
  const rolling = useSignal(false);
  const count = desk.tumbles.value;
  useEffect(() => {
    rolling.value = count > 0;
    const rest = setTimeout(() => (rolling.value = false), ROLLS_MS);
    return () => clearTimeout(rest);
  }, [count]);
  const device = action.kind === "wait" && action.step?.by === "device";
  const lifts = action.kind === "step" && action.step.command === "LiftCover";
  const shown = device || lifts || ["tumble", "record", "flat", "faces"].includes(action.kind);
  if (!shown) return null;
  const lifted = action.kind === "faces" || action.kind === "flat";
  return <Tumbler covered={desk.covered && !lifted} rolling={rolling.value} />;
}

/** The faces pressed, as large as the dice will be; the light of the entry terminal says them. */
function Echo({ faces }: { readonly faces: readonly number[] }) {
  const missing = Array<null>(Math.max(0, ECHO - faces.length)).fill(null);
  return (
    <span class="dice-row console-echo" aria-hidden="true">
      {[...faces, ...missing].map((face, place) => (
        <DieFace key={place} face={face} />
      ))}
    </span>
  );
}

/** What to do by hand now, if there is nothing to say aloud. */
function handsSay(t: Words<"console">, action: Action, covered: boolean): string {
  switch (action.kind) {
    case "tumble":
      return t("hands_tumble", { wanted: action.wanted });
    case "record":
      return covered ? t("hands_covered") : t("hands_record");
    case "flat":
      return t("hands_flat");
    case "faces":
      return t("hands_faces");
    case "walk":
    case "step":
    case "wait":
      return "";
  }
}
