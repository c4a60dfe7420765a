/** Buttons to go from page to page of a long list, to older entries and back. */

import type { Signal } from "@preact/signals";

import { Button } from "../shell/index.ts";
import { useWords } from "../words/words.ts";

interface PagesProps<From> {
  /** Where each page up to the present one begins. */
  readonly pages: Signal<readonly From[]>;
  /** Where the next page begins; null if this is the last. */
  readonly next: From | null;
}

export function Pages<From>({ pages, next }: PagesProps<From>) {
  const t = useWords("audit");
  return (
    <div class="audit-pages">
      {pages.value.length > 1 && (
        <Button onClick={() => (pages.value = pages.value.slice(0, -1))}>← {t("newer")}</Button>
      )}
      {next !== null && (
        <Button onClick={() => (pages.value = [...pages.value, next])}>{t("older")} →</Button>
      )}
    </div>
  );
}
