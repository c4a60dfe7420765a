import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

import type { HouseView } from "../../answers.ts";
import { openLink, type Link } from "../../live/index.ts";
import { useWords } from "../../words/words.ts";
import { house } from "./venue.ts";
import { followLine } from "../connection.tsx";

interface NeedsHouseProps {
  readonly children: (link: Link, house: HouseView) => ComponentChildren;
}

/** Shows its content to everybody, with a visitor's live link. */
export function NeedsHouse({ children }: NeedsHouseProps) {
  const t = useWords("shell");
  const link = useSignal<Link | null>(null);
  useEffect(() => {
    const opened = openLink({});
    const unfollow = followLine(opened);
    link.value = opened;
    return () => {
      unfollow();
      opened.close();
    };
  }, []);
  if (link.value === null || house.value === null) {
    return <p class="page page-wait">{t("connecting")}</p>;
  }
  return <>{children(link.value, house.value)}</>;
}
