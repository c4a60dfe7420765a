/** How the table is shown: what is drawn on the layout, and whether single keys are commands. */

import type { Signal } from "@preact/signals";

import { Dialog } from "../../shell/index.ts";
import { useWords } from "../../words/words.ts";
import type { WindowProps } from "./windows.tsx";
import "./preferences.css";
import { chances, chooseMode, layoutMode, letters, totals } from "../preferences.ts";

export function Preferences({ onClose }: WindowProps) {
  const t = useWords("play");
  return (
    <Dialog title={t("preferences")} onClose={onClose}>
      <fieldset class="preferences">
        <legend class="unseen">{t("preferences")}</legend>
        <Preference
          label={t("easy_view")}
          hint={t("easy_view_hint")}
          isOn={layoutMode.value === "easy"}
          onChange={(isOn) => chooseMode(isOn ? "easy" : "full")}
        />
        <Switch label={t("show_chances")} hint={t("show_chances_hint")} preference={chances} />
        <Switch label={t("show_totals")} hint={t("show_totals_hint")} preference={totals} />
        <Switch label={t("single_keys")} hint={t("single_keys_hint")} preference={letters} />
      </fieldset>
    </Dialog>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly hint: string;
  readonly preference: Signal<"on" | "off">;
}

function Switch({ label, hint, preference }: SwitchProps) {
  const change = (isOn: boolean): void => {
    preference.value = isOn ? "on" : "off";
  };
  return <Preference label={label} hint={hint} isOn={preference.value === "on"} onChange={change} />;
}

interface PreferenceProps {
  readonly label: string;
  readonly hint: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

function Preference({ label, hint, isOn, onChange }: PreferenceProps) {
  return (
    <label class="preferences-one">
      <input
        type="checkbox"
        checked={isOn}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>
        {label}
        <small>{hint}</small>
      </span>
    </label>
  );
}
