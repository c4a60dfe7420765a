/** What the dealer looks at beside the main line: one panel at a time, by tabs. */

import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

import { useWords } from "../words/words.ts";
import "./side.css";

export const PANELS = ["exposure", "bets", "guide", "irregularities", "log"] as const;
export type Panel = (typeof PANELS)[number];

interface Props {
  readonly open: Signal<Panel>;
  readonly panels: Readonly<Record<Panel, () => ComponentChildren>>;
  /** A mark beside a tab's name: how many, or that something is there. */
  readonly marks?: Partial<Record<Panel, string>>;
}

export function Side({ open, panels, marks = {} }: Props) {
  const t = useWords("console");
  const id = useId();
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = (PANELS.indexOf(open.value) + step + PANELS.length) % PANELS.length;
    open.value = PANELS[at] ?? "exposure";
    document.getElementById(`${id}-${open.value}`)?.focus();
  };
  return (
    <aside class="console-side" aria-label={t("side")}>
      <div class="console-tabs" role="tablist" aria-label={t("side")} onKeyDown={move}>
        {PANELS.map((panel) => (
          <button
            key={panel}
            type="button"
            role="tab"
            class="console-tab"
            id={`${id}-${panel}`}
            aria-selected={open.value === panel}
            aria-controls={`${id}-panel`}
            tabIndex={open.value === panel ? 0 : -1}
            onClick={() => (open.value = panel)}
          >
            {t(`tab_${panel}`)}
            {marks[panel] !== undefined && <span class="console-tab-mark">{marks[panel]}</span>}
          </button>
        ))}
      </div>
      <div class="console-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${open.value}`}>
        {panels[open.value]()}
      </div>
    </aside>
  );
}
