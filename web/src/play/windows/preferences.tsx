/** How the table is shown: what is drawn on the felt, and whether single keys are commands. */

import type { Signal } from "@preact/signals";

import { Dialog } from "../../shell/index.ts";
import { useWords } from "../../words/words.ts";
import type { WindowProps } from "./windows.tsx";
import "./preferences.css";
import { chances, felt, letters, totals } from "../preferences.ts";

export function Wishes({ onClose }: WindowProps) {
  const t = useWords("play");
  return (
    <Dialog title={t("wishes")} onClose={onClose}>
      <fieldset class="wishes">
        <legend class="unseen">{t("wishes")}</legend>
        <Wish
          label={t("easy_view")}
          hint={t("easy_view_hint")}
          isOn={felt.value === "easy"}
          onChange={(isOn) => (felt.value = isOn ? "easy" : "full")}
        />
        <Switch label={t("show_chances")} hint={t("show_chances_hint")} wish={chances} />
        <Switch label={t("show_totals")} hint={t("show_totals_hint")} wish={totals} />
        <Switch label={t("single_keys")} hint={t("single_keys_hint")} wish={letters} />
      </fieldset>
    </Dialog>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly hint: string;
  readonly wish: Signal<"on" | "off">;
}

function Switch({ label, hint, wish }: SwitchProps) {
  const change = (isOn: boolean): void => {
    wish.value = isOn ? "on" : "off";
  };
  return <Wish label={label} hint={hint} isOn={wish.value === "on"} onChange={change} />;
}

interface WishProps {
  readonly label: string;
  readonly hint: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

function Wish({ label, hint, isOn, onChange }: WishProps) {
  return (
    <label class="wishes-wish">
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
