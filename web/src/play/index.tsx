/**
 * The Player Terminal: a seat at a table, and everything its player does there.
 *
 * [ts6 3.3; etg8 1.7, 3.2, 3.3, 3.4; div9 6.2]
 */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import type { LayoutView, OddsView, Recall, RecalledRound } from "../answers.ts";
import { forgetTerminal, get, type Link } from "../live/index.ts";
import { Button, NeedsTerminal, here, venue } from "../shell/index.ts";
import { said } from "../words/said.ts";
import { language, useWords } from "../words/words.ts";
import { printedOf, openGame, type Printed, type Game } from "./game.ts";
import { Terminal } from "./terminal.tsx";
import { UnlessChipTable } from "./unless_chip_table.tsx";

export default function Play() {
  const table = here.value.query.get("table");
  return (
    <UnlessChipTable key={table} table={table}>
      <NeedsTerminal table={table}>
        {(link, key) => <Seated link={link} table={key.table} />}
      </NeedsTerminal>
    </UnlessChipTable>
  );
}

async function readPrinted(payTable: string, sha256: string): Promise<Printed> {
  const at = `/api/pay-tables/${payTable}`;
  const [layout, odds] = await Promise.all([
    get<LayoutView>(`${at}/layout`, { sha256, language: true }),
    get<OddsView>(`${at}/odds`, { sha256 }),
  ]);
  return { layout, odds };
}

async function readRounds(spoken: string): Promise<readonly RecalledRound[]> {
  return (await get<Recall>("/api/terminal/recall", { language: spoken })).rounds;
}

interface SeatedProps {
  readonly link: Link;
  readonly table: string;
}

function Seated({ link, table }: SeatedProps) {
  const t = useWords("play");
  const game = useSignal<Game | null>(null);
  const fault = useSignal<string | null>(null);
  const tries = useSignal(0);
  useEffect(() => {
    if (link.terminal === null) throw new Error("A Player Terminal has a key, and a picture of itself.");
    fault.value = null;
    const { printed, end } = printedOf(link.table(table), language, readPrinted, (error) => {
      fault.value = error instanceof Error ? error.message : String(error);
    });
    const opened = openGame(link, table, link.terminal, printed, readRounds);
    game.value = opened;
    return () => {
      end();
      opened.end();
    };
  }, [link, table, tries.value]);
  if (link.status.value === "ended") return <Ended link={link} />;
  if (fault.value !== null) {
    return (
      <section class="page">
        <p role="alert">{t("layout_failed", { why: said(fault.value) })}</p>
        <Button kind="main" onClick={() => (tries.value += 1)}>
          {t("read_again")}
        </Button>
      </section>
    );
  }
  if (game.value === null || link.terminal?.view.value == null) {
    return <p class="page page-wait">{t("one_moment")}</p>;
  }
  return <Terminal game={game.value} />;
}

/** Shown when the server has ended the connection and this key cannot reconnect. */
function Ended({ link }: { readonly link: Link }) {
  const t = useWords("play");
  const isDemo = venue.value?.demo === true;
  return (
    <section class="page">
      <h1>{t("seat_lost_title")}</h1>
      <p>{link.why.value ?? t("seat_lost")}</p>
      <Button
        kind="main"
        onClick={() => {
          forgetTerminal();
          location.reload();
        }}
      >
        {t(isDemo ? "new_seat" : "other_key")}
      </Button>
    </section>
  );
}
