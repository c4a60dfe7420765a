/** One table on a wall: its limits, the phase of the round, the dice, and past results. */

import { useComputed, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import type { Link } from "../live/index.ts";
import { useWords } from "../words/words.ts";
import { useAnnouncements } from "./announcements.ts";
import { Bar } from "./bar.tsx";
import { Centre } from "./centre.tsx";
import { Head } from "./head.tsx";
import { Past, Strip } from "./past.tsx";
import { Rack } from "./rack.tsx";
import { watch, type Watched } from "./table_feed.ts";

interface TableWallProps {
  readonly link: Link;
  readonly name: string;
}

export function TableWall({ link, name }: TableWallProps) {
  const t = useWords("display");
  const watched = useSignal<Watched | null>(null);
  useEffect(() => {
    const followed = watch(link, name);
    watched.value = followed;
    return () => followed.end();
  }, [link, name]);
  if (watched.value?.table.view.value == null) {
    return <p class="display-wait">{t("waiting_server")}</p>;
  }
  return <Wall watched={watched.value} />;
}

export function Wall({ watched }: { readonly watched: Watched }) {
  const t = useWords("display");
  useAnnouncements(watched);
  const matter = watched.matter.value;
  const isChipTable = useComputed(() => watched.table.view.value?.form === "chips").value;
  return (
    <article
      class={`wall wall-is-${matter}${isChipTable ? " wall-chips" : ""}`}
      data-matter={matter}
      aria-label={t("wall", { table: watched.table.name })}
    >
      <Head table={watched.table} />
      <Bar watched={watched} />
      <Centre watched={watched} />
      <Strip watched={watched} />
      <Past watched={watched} />
      {isChipTable && <Rack watched={watched} />}
    </article>
  );
}
