/** The drawn layout of a pay table: areas to press, and the chips on them. */

import { useSignal } from "@preact/signals";
import { useCallback, useMemo, useRef } from "preact/hooks";

import type { BoxOdds, LayoutView, OddsView } from "../answers.ts";
import { useWords } from "../words/words.ts";
import { DetailsPopup } from "./details_popup.tsx";
import { AreaButton, type AreaProps } from "./area.tsx";
import { Bubble } from "./bubbles.tsx";
import { easyBlocks } from "./easy.ts";
// The order matters: styles of marks on an area override styles of its print.
import "./layout.css";
import "./area.css";
import "./marks.css";
import "./easy.css";
import { breadth } from "./figures.ts";
import { AboutButton, useAbout } from "./hand/about.tsx";
import { Beyond, useBeyond } from "./hand/beyond.tsx";
import type { Rect } from "./hand/neighbours.ts";
import { usePresses } from "./hand/presses.ts";
import type { LayoutProps } from "./types.ts";
import { useZoom, ZoomBar } from "./hand/zoom.tsx";

const LARGE = ["small", "big", "odd", "even"];
const NOTHING: ReadonlySet<string> = new Set();

type Shared = Pick<AreaProps, "current" | "holds" | "chances" | "still">;
type Drawn = Required<Pick<LayoutProps, "layout" | "odds" | "boxes" | "lit">> & {
  readonly shared: Shared;
  readonly placeOf: (box: string) => number;
};

function oddsByBox(odds: OddsView): (box: string) => BoxOdds {
  const known = new Map(odds.boxes.map((each) => [each.box, each]));
  return (box) => {
    const found = known.get(box);
    if (found === undefined) throw new Error(`${odds.pay_table} has no odds for the box ${box}.`);
    return found;
  };
}

function gridArea({ x, y, w, h }: Rect): Record<string, string> {
  return { gridArea: `${y + 1} / ${x + 1} / span ${h} / span ${w}` };
}

/** The length of the longest of the large names, so that Small is printed as large as Big. */
function longest(layout: LayoutView): Record<string, string> {
  const large = layout.areas.filter(({ kind }) => LARGE.includes(kind));
  return { "--longest": String(Math.max(1, ...large.map(({ name }) => Number(breadth(name))))) };
}

/** The values by which the style sheet keeps the smallest area large enough for a finger. */
function measures(layout: LayoutView): Record<string, string> {
  const across = layout.columns / Math.min(...layout.areas.map(({ w }) => w));
  const down = layout.rows / Math.min(...layout.areas.map(({ h }) => h));
  return {
    "--columns": String(layout.columns),
    "--rows": String(layout.rows),
    "--across": String(across),
    "--down": String(down),
    ...longest(layout),
  };
}

/** The place of a bubble: at its box, on the side that has room. */
function beside(layout: LayoutView, area: Rect | undefined) {
  if (area === undefined) return { class: "" };
  const middle = (area.x + area.w / 2) / layout.columns;
  const across = middle < 0.25 ? "start" : middle > 0.75 ? "end" : "middle";
  const down = area.y + area.h / 2 < layout.rows / 2 ? "below" : "above";
  return { class: `layout-bubble-${across} layout-bubble-${down}`, style: gridArea(area) };
}

/** The lengths of a caption and of its longest word, by which the style sheet fits it. */
function lengths(text: string): Record<string, string> {
  // Chinese has no spaces: a zero-width space shows where a line may break.
  const words = text.split(/[ \u200b]/);
  const longest = Math.max(...words.map((word) => Number(breadth(word))));
  return { "--long": breadth(text), "--word": String(longest) };
}

const UNDER = () => ({ class: "layout-bubble-below" });

/** The areas, kept until something but their marks changes. */
function useAreas({ layout, odds, boxes, lit, shared }: Drawn) {
  const { current, holds, chances, still } = shared;
  return useMemo(() => {
    const of = oddsByBox(odds);
    const first = new Map(layout.areas.map(({ box }, place) => [box, place] as const).toReversed());
    return layout.areas.map((area, place) => (
      <AreaButton
        key={`${place} ${area.box}`}
        area={area}
        place={place}
        odds={of(area.box)}
        marks={boxes(area.box)}
        lit={lit.has(area.box)}
        tells={first.get(area.box) === place}
        style={gridArea(area)}
        {...{ current, holds, chances, still }}
      />
    ));
  }, [layout, odds, boxes, lit, current, holds, chances, still]);
}

function Printed(props: Drawn) {
  const { layout, boxes, placeOf } = props;
  const t = useWords("layout");
  const zoom = useZoom();
  const areas = useAreas(props);
  const captions = useMemo(
    () =>
      layout.captions.map((caption, place) => (
        <span key={place} class="layout-caption" style={gridArea(caption)} aria-hidden="true">
          <span style={lengths(caption.text)}>{caption.text}</span>
        </span>
      )),
    [layout],
  );
  const bubbles = useMemo(() => {
    const once = new Map(layout.areas.map((area) => [area.box, area]));
    return [...once.values()].map(({ box, name }) => {
      const { refused } = boxes(box);
      if (refused === undefined) return null;
      const where = () => beside(layout, layout.areas[placeOf(box)]);
      return <Bubble key={box} name={name} refused={refused} where={where} />;
    });
  }, [layout, boxes, placeOf]);
  return (
    <>
      {!props.shared.still && <ZoomBar zoom={zoom} />}
      <div class="layout-view">
        <div class="layout-scroller" ref={zoom.scroller}>
          <div class="layout-sheet" ref={zoom.sheet} style={measures(layout)}>
            {captions}
            {areas}
            <div class="layout-bubbles" role="status" aria-label={t("refusals")}>
              {bubbles}
            </div>
          </div>
        </div>
        {!props.shared.still && <Beyond sides={zoom.beyond} />}
      </div>
    </>
  );
}

function Easy(props: Drawn) {
  const view = useRef<HTMLDivElement>(null);
  const beyond = useBeyond(view);
  const blocks = useBlocks(props);
  return (
    <div class="layout-view">
      <div class="layout-easy" ref={view} style={longest(props.layout)}>
        {blocks}
      </div>
      {!props.shared.still && <Beyond sides={beyond} />}
    </div>
  );
}

/** The blocks of the easy view, kept until something but their marks changes. */
function useBlocks({ layout, odds, boxes, lit, shared }: Drawn) {
  const { current, holds, chances, still } = shared;
  return useMemo(() => {
    const of = oddsByBox(odds);
    return (
      <>
        {easyBlocks(layout, odds).map(({ name, areas }) => (
          <div key={name} class={`layout-block layout-block-${name}`}>
            {areas.map(({ area, place }) => {
              const marks = boxes(area.box);
              return (
                <div key={area.box} class="layout-cell" role="presentation">
                  <AreaButton
                    area={area}
                    place={place}
                    odds={of(area.box)}
                    marks={marks}
                    lit={lit.has(area.box)}
                    tells
                    {...{ current, holds, chances, still }}
                  />
                  {marks.refused !== undefined && (
                    <span role="status">
                      <Bubble name={area.name} refused={marks.refused} where={UNDER} />
                    </span>
                  )}
                </div>
              );
            })}
          </div>
        ))}
      </>
    );
  }, [layout, odds, boxes, lit, current, holds, chances, still]);
}

/** The rectangles of areas: as printed, or in the easy view as the browser laid them out. */
function useRects(
  root: { readonly current: HTMLElement | null },
  layout: LayoutView,
  easy: boolean,
) {
  return useCallback((): readonly Rect[] => {
    if (!easy) {
      const { columns, rows } = layout;
      return layout.areas.map(({ x, y, w, h }) => ({
        x: (2 * x) / columns,
        y: y / rows,
        w: (2 * w) / columns,
        h: h / rows,
      }));
    }
    return [...(root.current?.querySelectorAll("button[data-box]") ?? [])].map((area) => {
      const { x, y, width, height } = area.getBoundingClientRect();
      return { x, y, w: width, h: height };
    });
  }, [root, layout, easy]);
}

/** The area in which a box's chips are drawn: where a chip was put, or the first one printed. */
function usePlaces(layout: LayoutView, boxes: LayoutProps["boxes"], easy: boolean) {
  const places = useRef(new Map<string, number>());
  const first = useMemo(() => {
    const found = new Map<string, number>();
    layout.areas.forEach(({ box }, place) => found.has(box) || found.set(box, place));
    return found;
  }, [layout]);
  const placeOf = useCallback(
    (box: string) => places.current.get(box) ?? first.get(box) ?? -1,
    [first],
  );
  const holds = useCallback(
    (box: string, place: number) => easy || placeOf(box) === place,
    [placeOf, easy],
  );
  const placed = (box: string, place: number) => {
    if (!easy && boxes(box).own.peek().length === 0) places.current.set(box, place);
  };
  return { placeOf, holds, placed };
}

export function Layout(props: LayoutProps) {
  const { layout, odds, boxes, lit = NOTHING, limits, label } = props;
  const { mode = "full", fit = "box", ceremony = "none", chances = false, still = false } = props;
  const { onPress, onTakeBack, onDetails } = props;
  const t = useWords("layout");
  const root = useRef<HTMLDivElement>(null);
  const current = useSignal(0);
  const easy = mode === "easy";
  const own = useSignal<string | null>(null);
  const details = props.details ?? own;
  const { placeOf, holds, placed } = usePlaces(layout, boxes, easy);
  const open = (box: string) => {
    if (onDetails === undefined) details.value = box;
    else onDetails(box);
  };
  const rects = useRects(root, layout, easy);
  const handlers = usePresses(root, {
    ...(onPress === undefined ? {} : { onPress }),
    ...(onTakeBack === undefined ? {} : { onTakeBack }),
    ...{ open, current, rects, placed },
  });
  const about = useAbout(root);
  const shared = { current, holds, chances, still };
  const drawn = { layout, odds, boxes, lit, shared, placeOf };
  const states = `${lit.size > 0 ? " layout-decided" : ""}${chances ? " layout-with-chances" : ""}`;
  return (
    <div
      ref={root}
      class={`layout layout-fit-${fit} layout-ceremony-${ceremony}${states}`}
      role="group"
      aria-label={label ?? t("layout")}
      {...(still ? {} : handlers)}
      {...(still || onPress === undefined ? {} : about.handlers)}
    >
      {easy ? <Easy {...drawn} /> : <Printed {...drawn} />}
      <AboutButton about={about} layout={layout} onOpen={open} />
      {!still && <DetailsPopup {...{ root, layout, odds, boxes, details, limits }} />}
    </div>
  );
}
