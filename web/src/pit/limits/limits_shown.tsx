/** Limits in full. */

import type { WordsView } from "../../answers.ts";
import type { LimitsAsked } from "../../protocol.ts";
import { language, money, useWords } from "../../words/words.ts";
import { Facts } from "../figures/facts.tsx";
import { useOnce } from "../once.ts";
import "./limits.css";

export function LimitsShown({ limits }: { readonly limits: LimitsAsked | null }) {
  const t = useWords("pit");
  const own = Object.entries(limits?.boxes ?? {});
  const words = useOnce<WordsView>(own.length === 0 ? null : `/api/words/${language.value}`);
  if (limits === null) return <p class="pit-quiet">{t("limits_none")}</p>;
  const called = (name: string): string =>
    words.value?.kinds[name] ?? words.value?.boxes[name] ?? name;
  const amountOr = (cents: number | null | undefined, none: string): string => (cents == null ? none : money(cents));
  const facts: readonly (readonly [string, string])[] = [
    [t("minimum"), money(limits.minimum)],
    [t("maximum"), money(limits.maximum)],
    [t("step"), amountOr(limits.step, t("step_smallest"))],
    [t("differential"), amountOr(limits.differential, t("none"))],
  ];
  return (
    <>
      <Facts class="pit-limits" facts={facts} />
      {own.length > 0 && (
        <ul class="pit-limits-own">
          {own.map(([name, [minimum, maximum]]) => (
            <li key={name}>
              {t("own_limits_of", {
                box: called(name),
                minimum: amountOr(minimum, money(limits.minimum)),
                maximum: amountOr(maximum, money(limits.maximum)),
              })}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
