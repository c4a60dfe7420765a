/** What each key does. */

import { Dialog } from "../../shell/index.ts";
import { useWords } from "../../words/words.ts";
import "./help.css";
import type { WindowProps } from "./windows.tsx";

const KEYS = [
  [["1–8"], "key_chip"],
  [["←", "↑", "→", "↓"], "key_arrows"],
  [["Enter", "Space"], "key_put"],
  [["Delete"], "key_take_off"],
  [["I"], "key_details"],
  [["Backspace", "Ctrl+Z"], "key_undo"],
  [["Ctrl+Y"], "key_redo"],
  [["C"], "key_clear"],
  [["D"], "key_double"],
  [["R"], "key_rebet"],
  [["Shift+R"], "key_rebet_twice"],
  [["P"], "key_place"],
  [["?"], "key_help"],
] as const;

export function Help({ onClose }: WindowProps) {
  const t = useWords("play");
  return (
    <Dialog title={t("help")} onClose={onClose}>
      <p>{t("help_how")}</p>
      <dl class="help-keys">
        {KEYS.map(([keys, what]) => (
          <div key={what}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key === "Space" ? t("key_space") : key}</kbd>
              ))}
            </dt>
            <dd>{t(what)}</dd>
          </div>
        ))}
      </dl>
      <p class="help-note">{t("help_letters")}</p>
    </Dialog>
  );
}
