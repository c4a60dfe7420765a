/** All steps of the console, as the server sent them: refused ones are folded, with reasons. */

import type { Step } from "../../protocol.ts";
import { useWords } from "../../words/words.ts";
import type { Desk } from "../desk.ts";
import { parted } from "./next.ts";
import "./steps.css";

export function StepList({ desk }: { readonly desk: Desk }) {
  const t = useWords("console");
  const { round, others } = parted(desk.steps.value);
  const [roundNow, roundNot] = apart(round);
  const [now, not] = apart(others);
  return (
    <nav class="console-steps" aria-label={t("steps")}>
      <Steps desk={desk} of="round" steps={roundNow} />
      <Steps desk={desk} of="others" steps={now} />
      <Folded desk={desk} steps={[...roundNot, ...not]} />
    </nav>
  );
}

/** Steps that can be taken now, and those that cannot. */
function apart(steps: readonly Step[]): readonly [readonly Step[], readonly Step[]] {
  const isRefused = ({ standing }: Step): boolean => standing === "refused";
  return [steps.filter((step) => !isRefused(step)), steps.filter(isRefused)];
}

interface StepsProps {
  readonly desk: Desk;
  readonly steps: readonly Step[];
}

function Steps({ desk, steps, of }: StepsProps & { readonly of: "round" | "others" }) {
  if (steps.length === 0) return null;
  const List = of === "round" ? "ol" : "ul";
  return (
    <List class={`console-steps-${of}`}>
      {steps.map((step) => (
        <li key={step.command}>
          <StepButton desk={desk} step={step} />
        </li>
      ))}
    </List>
  );
}

/** The steps that are refused now, unfolded by a press, each with its reason. */
function Folded({ desk, steps }: StepsProps) {
  const t = useWords("console");
  if (steps.length === 0) return null;
  return (
    <details class="console-steps-more">
      <summary>{t("steps_refused")}</summary>
      <Steps desk={desk} of="others" steps={steps} />
    </details>
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
