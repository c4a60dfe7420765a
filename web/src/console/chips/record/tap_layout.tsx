/** The layout to tap on: first a chip of the tray, then boxes; a button sends them. */

import { useMemo } from "preact/hooks";

import type { LayoutView, OddsView } from "../../../answers.ts";
import { Chip, ColourChip, colourName, Layout, useLit } from "../../../layout/index.ts";
import { Button, chipClick } from "../../../shell/index.ts";
import { money, useWords } from "../../../words/words.ts";
import type { Chip as Piece } from "../../money/counts/chips.ts";
import { marksOf } from "./marks.ts";
import type { Recorder } from "./recorder.ts";
import "./tap_layout.css";

interface Props {
  readonly recorder: Recorder;
  readonly layout: LayoutView | null;
  readonly odds: OddsView | null;
}

export function TapLayout({ recorder, layout, odds }: Props) {
  const t = useWords("recording");
  const boxes = useMemo(() => {
    const kinds = new Map((layout?.areas ?? []).map(({ box, kind }) => [box, kind]));
    return marksOf(recorder, kinds, t);
    // A change of language changes the words and loads the layout again.
  }, [recorder, layout]);
  const view = recorder.desk.table.view.value;
  const lit = useLit(view, view?.winners);
  if (layout === null || odds === null) return <div class="rec-layout" aria-busy="true" />;
  return (
    <div class="rec-layout">
      <Layout
        layout={layout}
        odds={odds}
        boxes={boxes}
        lit={lit}
        label={t("layout")}
        onPress={(box) => {
          if (recorder.tap(box)) chipClick();
        }}
        onTakeBack={(box) => recorder.untap(box)}
      />
    </div>
  );
}

/** The chips to tap with, and buttons to undo, clear or send the tapped chips. */
export function ChipTray({ recorder }: { readonly recorder: Recorder }) {
  const t = useWords("recording");
  const names = useWords("layout");
  const puts = recorder.drafts.value.flatMap((each) => each.puts);
  const sum = puts.reduce((before, put) => before + put.amount, 0);
  return (
    <div class="rec-tray">
      <div class="rec-tray-chips" role="group" aria-label={t("tray")}>
        {recorder.tray.map((chip) => (
          <button
            key={chip}
            type="button"
            class="rec-tray-chip"
            aria-pressed={recorder.chip === chip}
            aria-label={typeof chip === "number" ? money(chip) : colourName(names, chip)}
            onClick={() => (recorder.chosen.value = chip)}
          >
            <Drawn chip={chip} recorder={recorder} />
          </button>
        ))}
      </div>
      {puts.length > 0 && (
        <div class="rec-tray-acts">
          <Button onClick={() => recorder.untap()}>{t("undo")}</Button>
          <Button onClick={() => (recorder.tapped.value = [])}>{t("clear")}</Button>
          <Button kind="main" onClick={() => void recorder.sendTapped()}>
            {t("send_tapped", { amount: money(sum) })}
          </Button>
        </div>
      )}
    </div>
  );
}

function Drawn({ chip, recorder }: { readonly chip: Piece; readonly recorder: Recorder }) {
  if (typeof chip === "number") return <Chip amount={chip} denomination={chip} />;
  return <ColourChip colour={chip} value={recorder.player.value?.value ?? null} />;
}
