/** Which table this is, by which rules it plays, and between which limits. */

import { useComputed } from "@preact/signals";

import type { LiveTable } from "../live/index.ts";
import type { LimitsAsked, RulebookName } from "../protocol.ts";
import { short, useWords } from "../words/words.ts";
import { useNames } from "./figures.ts";

/** Limits of single boxes or kinds that there is room for. */
const SHOWN = 4;

export function Head({ table }: { readonly table: LiveTable }) {
  const t = useWords("display");
  const book = useComputed(() => table.view.value?.rulebook ?? null);
  const limits = useComputed(() => table.view.value?.limits ?? null);
  return (
    <header class="wall-head">
      <div class="wall-names">
        <h1 class="wall-name">{table.name}</h1>
        {book.value !== null && <p class="wall-book">{titleOf(book.value, t)}</p>}
      </div>
      {limits.value === null ? <p>{t("limits_none")}</p> : <Limits limits={limits.value} />}
    </header>
  );
}

function titleOf(book: RulebookName, t: ReturnType<typeof useWords<"display">>): string {
  const { title, version } = book;
  return version === null ? title : t("version", { title, version });
}

function Limits({ limits }: { readonly limits: LimitsAsked }) {
  const t = useWords("display");
  const { minimum, maximum, differential = null } = limits;
  return (
    <div class="wall-limits" role="group" aria-label={t("limits")}>
      <dl class="wall-general">
        <Limit name={t("minimum")} value={short(minimum)} />
        <Limit name={t("maximum")} value={short(maximum)} />
        {differential !== null && <Limit name={t("differential")} value={short(differential)} />}
      </dl>
      <Own limits={limits} />
    </div>
  );
}

function Limit({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** Boxes and kinds of boxes that have limits of their own; what one leaves out is the table's. */
function Own({ limits }: { readonly limits: LimitsAsked }) {
  const t = useWords("display");
  const names = useNames();
  const own = Object.entries(limits.boxes ?? {});
  if (own.length === 0) return null;
  const nameOf = (key: string): string => names.value?.kinds[key] ?? names.value?.boxes[key] ?? key;
  return (
    <dl class="wall-own">
      {own.slice(0, SHOWN).map(([key, [least, most]]) => (
        <div key={key}>
          <dt>{nameOf(key)}</dt>{" "}
          <dd>
            {t("limits_range", {
              minimum: short(least ?? limits.minimum),
              maximum: short(most ?? limits.maximum),
            })}
          </dd>
        </div>
      ))}
      {own.length > SHOWN && <div>{t("limits_more", { count: own.length - SHOWN })}</div>}
    </dl>
  );
}
