/** The panels beside the main line: tabs show one panel at a time. */

import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

import { useWords } from "../../words/words.ts";
import "./tabs.css";

export type Panel =
  | "layout"
  | "paying"
  | "money"
  | "exposure"
  | "bets"
  | "guide"
  | "irregularities"
  | "log";
/** The panels, in the order of their tabs. */
export type Panels = Partial<Readonly<Record<Panel, () => ComponentChildren>>>;

interface Props {
  readonly open: Signal<Panel>;
  readonly panels: Panels;
  /** A mark beside a tab's name: how many, or that something is there. */
  readonly marks?: Partial<Record<Panel, string>>;
}

export function Side({ open, panels, marks = {} }: Props) {
  const t = useWords("console");
  const id = useId();
  const all = Object.keys(panels) as Panel[];
  const shown = all.includes(open.value) ? open.value : (all[0] ?? "log");
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = (all.indexOf(shown) + step + all.length) % all.length;
    open.value = all[at] ?? shown;
    document.getElementById(`${id}-${open.value}`)?.focus();
  };
  return (
    <aside class="console-side" aria-label={t("side")}>
      <div class="console-tabs" role="tablist" aria-label={t("side")} onKeyDown={move}>
        {all.map((panel) => (
          <button
            key={panel}
            type="button"
            role="tab"
            class="console-tab"
            id={`${id}-${panel}`}
            aria-selected={shown === panel}
            aria-controls={`${id}-panel`}
            tabIndex={shown === panel ? 0 : -1}
            onClick={() => (open.value = panel)}
          >
            {t(`tab_${panel}`)}
            {marks[panel] !== undefined && <span class="console-tab-mark">{marks[panel]}</span>}
          </button>
        ))}
      </div>
      <div class="console-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${shown}`}>
        {panels[shown]?.()}
      </div>
    </aside>
  );
}
