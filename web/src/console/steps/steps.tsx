/** Every step of the console as the server says it stands: a refused one is shown, and says why. */

import type { Step } from "../../protocol.ts";
import { useWords } from "../../words/words.ts";
import type { Desk } from "../desk.ts";
import { parted } from "./next.ts";
import "./steps.css";

export function StepList({ desk }: { readonly desk: Desk }) {
  const t = useWords("console");
  const { round, others } = parted(desk.steps.value);
  const now = others.filter(({ standing }) => standing !== "refused");
  const not = others.filter(({ standing }) => standing === "refused");
  const notOfRound = round.filter(({ standing }) => standing === "refused");
  return (
    <nav class="console-steps" aria-label={t("steps")}>
      <ol class="console-steps-round">
        {round.map((step) => (
          <StepItem key={step.command} desk={desk} step={step} isOfRound />
        ))}
      </ol>
      {now.length > 0 && (
        <ul class="console-steps-others">
          {now.map((step) => (
            <StepItem key={step.command} desk={desk} step={step} />
          ))}
        </ul>
      )}
      {not.length + notOfRound.length > 0 && (
        <details class="console-steps-more">
          <summary>{t("steps_refused")}</summary>
          <ul class="console-steps-others">
            {notOfRound.map((step) => (
              <StepItem key={step.command} desk={desk} step={step} isOfRound />
            ))}
            {not.map((step) => (
              <StepItem key={step.command} desk={desk} step={step} />
            ))}
          </ul>
        </details>
      )}
    </nav>
  );
}

interface ItemProps {
  readonly desk: Desk;
  readonly step: Step;
  /** A step of the round that cannot be taken now is in two places; the style sheet shows one. */
  readonly isOfRound?: boolean;
}

function StepItem({ desk, step, isOfRound = false }: ItemProps) {
  const isNot = isOfRound && step.standing === "refused";
  return (
    <li {...(isNot ? { class: "console-step-not" } : {})}>
      <StepButton desk={desk} step={step} />
    </li>
  );
}

export function StepButton({ desk, step }: { readonly desk: Desk; readonly step: Step }) {
  const t = useWords("console");
  const marks = { next: "▸", open: "", refused: "✕" } as const;
  return (
    <button
      type="button"
      class="console-step"
      data-standing={step.standing}
      data-command={step.command}
      aria-disabled={step.standing === "refused"}
      aria-busy={desk.unanswered.value.has(step.command)}
      onClick={() => desk.take(step)}
    >
      <span class="console-step-mark" aria-hidden="true">
        {marks[step.standing]}
      </span>
      <span class="console-step-label">{step.label}</span>
      {step.second && (
        <span class="console-step-two" title={t("takes_two")} aria-label={t("takes_two")}>
          2
        </span>
      )}
    </button>
  );
}
