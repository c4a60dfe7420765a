/** The whole limit sign of the table, box by box where limits differ [ts6 3.3; etg8 3.3] [D31]. */

import { Dialog, useApart, useSignNames } from "../../shell/index.ts";
import { money, useWords } from "../../words/words.ts";
import "./sign.css";
import type { WindowProps } from "./windows.tsx";

export function Sign({ game, onClose }: WindowProps) {
  const t = useWords("play");
  const nameOf = useSignNames();
  const { whole } = useApart();
  const view = game.table.view.value;
  const limits = view?.limits ?? null;
  if (view === null || limits === null) return null;
  const apart = whole(view);
  const { minimum, maximum, step = null, differential = null } = limits;
  const lines = view.sign.map(({ name, ...bounds }) => ({ name: nameOf(name), ...bounds }));
  const shown = lines.length === 0 ? [{ name: t("every_box"), minimum, maximum }] : lines;
  return (
    <Dialog title={t("sign")} onClose={onClose}>
      {apart !== null && <p class="sign-apart">{apart}</p>}
      <table class="sign">
        <thead>
          <tr>
            <th scope="col">{t("sign_box")}</th>
            <th scope="col">{t("sign_minimum")}</th>
            <th scope="col">{t("sign_maximum")}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((line) => (
            <tr key={line.name}>
              <th scope="row">{line.name}</th>
              <td>{money(line.minimum)}</td>
              <td>{money(line.maximum)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {differential !== null && (
        <p class="sign-note">{t("sign_differential", { differential: money(differential) })}</p>
      )}
      {step !== null && <p class="sign-note">{t("sign_step", { step: money(step) })}</p>}
    </Dialog>
  );
}
