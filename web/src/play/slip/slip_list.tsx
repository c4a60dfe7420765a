/** The slip as a list: every box with its stake, its state, and what it still needs. */

import type { Signal } from "@preact/signals";

import { Button } from "../../shell/controls/button.tsx";
import { Money } from "../../shell/controls/money.tsx";
import { said } from "../../words/said.ts";
import { money, useWords } from "../../words/words.ts";
import { sum } from "./draft.ts";
import type { Game } from "../game.ts";
import { saySnag } from "./sentences.ts";
import "./slip_list.css";
import type { WindowName } from "../windows/windows.tsx";

interface SlipListProps {
  readonly game: Game;
  readonly opened: Signal<WindowName | null>;
}

export function SlipList({ game, opened }: SlipListProps) {
  const t = useWords("play");
  const { slip, terminal } = game;
  const registered = new Map(Object.entries(terminal.view.value?.bets ?? {}));
  const boxes = [...new Set([...slip.stakes.value.keys(), ...slip.pending.value.keys(), ...registered.keys()])];
  const canTake = game.canTakeBack.value;
  return (
    <section class="slip" aria-label={t("slip")}>
      <header class="slip-head">
        <h2>{t("slip")}</h2>
        <Button kind="quiet" onClick={() => (opened.value = "favourites")}>
          ☆ {t("favourites")}
        </Button>
      </header>
      {boxes.length === 0 && <p class="slip-empty">{t(game.shut.value ?? "slip_empty")}</p>}
      <ul class="slip-rows">
        {boxes.map((box) => (
          <Row key={box} game={game} box={box} held={registered.get(box) ?? 0} canTake={canTake} />
        ))}
      </ul>
      {boxes.length > 0 && (
        <footer class="slip-foot">
          <p>
            {t("draft_total")} <Money cents={slip.total.value} />
          </p>
          <p>
            {t("on_table")} <Money cents={sum(registered)} />
          </p>
          {registered.size > 0 && (
            <Button
              busy={slip.taking.value}
              aria-disabled={!canTake}
              onClick={() => {
                if (canTake) void slip.takeAllBack();
              }}
            >
              {t("take_all_back")}
            </Button>
          )}
        </footer>
      )}
    </section>
  );
}

interface RowProps {
  readonly game: Game;
  readonly box: string;
  readonly held: number;
  readonly canTake: boolean;
}

function Row({ game, box, held, canTake }: RowProps) {
  const t = useWords("play");
  const { slip } = game;
  const draft = slip.stakes.value.get(box) ?? 0;
  const pending = slip.pending.value.get(box) ?? 0;
  const kept = slip.refusals.value.get(box);
  const refused = kept === undefined ? undefined : said(kept);
  const snag = slip.snags.value.find((each) => each.box === box);
  const name = game.nameOf(box);
  const bounds = slip.boundsOf(box);
  const isOff = draft === 0 && (!canTake || held === 0);
  return (
    <li class="slip-row">
      <span class="slip-name">
        {name}
        {bounds !== null && (
          <span class="slip-limits">
            <span class="unseen">{t("limits")} </span>
            {t("limits_range", { minimum: money(bounds.minimum), maximum: money(bounds.maximum) })}
          </span>
        )}
      </span>
      <span class="slip-amounts">
        {held > 0 && <Amount kind="registered" cents={held} />}
        {pending > 0 && <Amount kind="pending" cents={pending} />}
        {draft > 0 && <Amount kind={refused === undefined ? "draft" : "refused"} cents={draft} />}
      </span>
      <Button
        kind="quiet"
        class="slip-off"
        aria-label={draft > 0 ? t("take_draft_off", { box: name }) : t("take_back", { box: name })}
        aria-disabled={isOff}
        busy={draft === 0 && slip.taking.value}
        onClick={() => {
          if (!isOff) slip.takeOff(box);
        }}
      >
        ✕
      </Button>
      {refused !== undefined && <p class="slip-refused">{refused}</p>}
      {refused === undefined && snag !== undefined && (
        <p class="slip-snag">
          {saySnag(t, snag)}
          {snag.kind === "short" && (
            <Button onClick={() => slip.fillUp(box)}>{t("fill_up")}</Button>
          )}
        </p>
      )}
    </li>
  );
}

const STANDINGS = {
  registered: ["✓", "is_registered"],
  pending: ["◷", "is_pending"],
  draft: ["◌", "is_draft"],
  refused: ["✕", "is_refused"],
} as const;

/** An amount with its state: a sign and a word, not a colour alone. */
function Amount({ kind, cents }: { readonly kind: keyof typeof STANDINGS; readonly cents: number }) {
  const t = useWords("play");
  const [sign, words] = STANDINGS[kind];
  return (
    <span class={`slip-amount slip-${kind}`} title={t(words)}>
      <span aria-hidden="true">{sign}</span> <Money cents={cents} sign={false} />
      <span class="unseen"> {t(words)}</span>
    </span>
  );
}
