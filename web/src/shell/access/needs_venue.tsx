import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

import type { VenueView } from "../../answers.ts";
import { openLink, type Link } from "../../live/index.ts";
import { useWords } from "../../words/words.ts";
import { venue } from "./venue.ts";
import { followLine } from "../connection.tsx";

interface NeedsVenueProps {
  readonly children: (link: Link, venue: VenueView) => ComponentChildren;
}

/** Shows its content to every reader, with a visitor's live link. */
export function NeedsVenue({ children }: NeedsVenueProps) {
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
  if (link.value === null || venue.value === null) {
    return <p class="page page-wait">{t("connecting")}</p>;
  }
  return <>{children(link.value, venue.value)}</>;
}
