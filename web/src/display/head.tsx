/** The head of the wall: the table, its rules, and its limits. */

import { useComputed } from "@preact/signals";

import type { LiveTable } from "../live/index.ts";
import type { LimitsAsked, RulebookName, SignLine } from "../protocol.ts";
import { useApart, useSignNames } from "../shell/index.ts";
import { short, useWords } from "../words/words.ts";
import { useShape, type Shape } from "./shape.ts";
import { useTurns } from "./turns.ts";

/** How many lines of the limit sign are shown at a time, with the number of the part. */
const AT_ONCE: Readonly<Record<Shape, number>> = { wide: 5, square: 5, tall: 3 };

const NO_SIGN: readonly SignLine[] = [];

export function Head({ table }: { readonly table: LiveTable }) {
  const t = useWords("display");
  const book = useComputed(() => table.view.value?.rulebook ?? null);
  const limits = useComputed(() => table.view.value?.limits ?? null);
  const sign = useComputed(() => table.view.value?.sign ?? NO_SIGN);
  const view = table.view.value;
  const { whole } = useApart();
  const apart = view === null ? null : whole(view);
  return (
    <header class="wall-head">
      <div class="wall-names">
        <h1 class="wall-name">{table.name}</h1>
        {book.value !== null && <p class="wall-book">{titleOf(book.value, t)}</p>}
        {apart !== null && <p class="wall-apart">{apart}</p>}
      </div>
      {limits.value === null ? <p>{t("limits_none")}</p> : <Limits limits={limits.value} sign={sign.value} />}
    </header>
  );
}

function titleOf(book: RulebookName, t: ReturnType<typeof useWords<"display">>): string {
  const { title, version } = book;
  return version === null ? title : t("version", { title, version });
}

interface LimitsProps {
  readonly limits: LimitsAsked;
  readonly sign: readonly SignLine[];
}

function Limits({ limits, sign }: LimitsProps) {
  const t = useWords("display");
  const { minimum, maximum, differential = null } = limits;
  return (
    <div class="wall-limits" role="group" aria-label={t("limits")}>
      <dl class="wall-general">
        <Limit name={t("minimum")} value={short(minimum)} />
        <Limit name={t("maximum")} value={short(maximum)} />
        {differential !== null && <Limit name={t("differential")} value={short(differential)} />}
      </dl>
      {sign.length > 0 && <Sign sign={sign} />}
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

/** The whole limit sign, in parts that take turns; screen readers have all of it at once. */
function Sign({ sign }: { readonly sign: readonly SignLine[] }) {
  const t = useWords("display");
  const nameOf = useSignNames();
  const { shown, page, pages } = useTurns(sign, AT_ONCE[useShape()]);
  const range = ({ minimum, maximum }: SignLine): string =>
    t("limits_range", { minimum: short(minimum), maximum: short(maximum) });
  return (
    <div class="wall-sign">
      <dl class="unseen">
        {sign.map((line) => (
          <div key={line.name}>
            <dt>{nameOf(line.name)}</dt> <dd>{range(line)}</dd>
          </div>
        ))}
      </dl>
      <ul class="wall-own" aria-hidden="true">
        {shown.map((line) => (
          <li key={line.name}>
            <span>{nameOf(line.name)}</span> <strong>{range(line)}</strong>
          </li>
        ))}
        {pages > 1 && <li class="wall-own-page">{t("page_of", { page, pages })}</li>}
      </ul>
    </div>
  );
}
