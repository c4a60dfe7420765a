/** In what a table departs from what its rulebook is approved for, in words [D30]. */

import type { TableView } from "../protocol.ts";
import { useWords } from "../words/words.ts";

type Of = Pick<TableView, "operator" | "apart">;

const ASPECTS = ["operator", "form", "dice", "date"] as const;

interface Said {
  /** The statement that it departs; null if it does not. */
  readonly brief: (table: Of) => string | null;
  /** What departs, and who approved it by which paper. */
  readonly whole: (table: Of) => string | null;
}

export function useApart(): Said {
  const t = useWords("shell");
  const nameOf = (aspect: string): string => {
    const known = ASPECTS.find((each) => each === aspect);
    return known === undefined ? aspect : t(`apart_${known}`);
  };
  const one = ({ aspect, approved_by, reference }: TableView["apart"][number]): string =>
    approved_by == null
      ? nameOf(aspect)
      : t("apart_by", { aspect: nameOf(aspect), by: approved_by, reference: reference ?? "" });
  return {
    brief: ({ operator, apart }) =>
      apart.length === 0 ? null : t(operator === null ? "apart_demo" : "apart_written"),
    whole: ({ operator, apart }) => {
      const of = apart.map(one).join(t("apart_and"));
      return apart.length === 0 ? null : t(operator === null ? "apart_demo_of" : "apart_written_of", { of });
    },
  };
}
