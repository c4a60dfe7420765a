/** The print of an area: its name or dice, its odds, and on request its chance and edge. */

import type { Area, BoxOdds } from "../answers.ts";
import { useWords } from "../words/words.ts";
import { DieFace, Domino } from "./dice/dice.tsx";
import { breadth, facesOf, fractionPercent, numberOf, printedOdds, tightOdds } from "./figures.ts";

type Drawn = Pick<Area, "box" | "kind" | "name">;

const FACES = [1, 2, 3, 4, 5, 6] as const;

function Dice({ faces }: { readonly faces: readonly number[] }) {
  return (
    <span class={`layout-dice layout-dice-${faces.length}`}>
      {faces.map((face, place) => (
        <span key={place}>
          <DieFace face={face} />
        </span>
      ))}
    </span>
  );
}

/** The six triples, small, as layouts print them beside Any Triple. */
function Triples() {
  return (
    <span class="layout-triples">
      {FACES.map((face) => (
        <span key={face} class={`layout-mini layout-mini-${face}`}>
          <DieFace face={face} />
          <DieFace face={face} />
          <DieFace face={face} />
        </span>
      ))}
    </span>
  );
}

function Name({ name, alike }: { readonly name: string; readonly alike: boolean }) {
  return (
    <span class="layout-name" style={alike ? {} : { "--long": breadth(name) }}>
      {name}
    </span>
  );
}

/** The picture of a box: dice if it has faces, otherwise its name. */
export function Picture({ area }: { readonly area: Drawn }) {
  switch (area.kind) {
    case "total":
      return <span class="layout-number">{numberOf(area)}</span>;
    case "domino": {
      const [a = 1, b = 1] = facesOf(area);
      return (
        <span class="layout-domino">
          <Domino a={a} b={b} />
        </span>
      );
    }
    case "single":
    case "double":
    case "triple":
    case "four":
    case "three":
    case "pair":
      return <Dice faces={facesOf(area)} />;
    case "any-triple":
      return (
        <>
          <Name name={area.name} alike={false} />
          <Triples />
        </>
      );
    default:
      return <Name name={area.name} alike />;
  }
}

interface PrintProps {
  readonly area: Drawn & Pick<Area, "pays" | "prints">;
  /** Set when chance and edge are to be shown. */
  readonly odds: BoxOdds | null;
}

export function Print({ area, odds }: PrintProps) {
  const t = useWords("layout");
  return (
    <span class="layout-print">
      <span class="layout-picture">
        <Picture area={area} />
      </span>
      <span class="layout-figures">
        <Sized class="layout-wide" text={printedOdds(t, area.pays)} />
        <Sized class="layout-tight" text={tightOdds(t, area.pays)} />
        {area.prints.map((line) => (
          <Sized key={line} class="layout-line" text={unparted(line)} />
        ))}
        {odds !== null && <Chances odds={odds} />}
      </span>
    </span>
  );
}

/** Keep a figure and the Chinese word after it on one line. */
function unparted(line: string): string {
  return line.replace(/ (?=[\u2e80-\uffef])/g, "\u00a0");
}

/** A text that the style sheet fits into its area. */
function Sized({ class: name, text }: { readonly class: string; readonly text: string }) {
  return (
    <span class={name} style={{ "--long": breadth(text) }}>
      {text}
    </span>
  );
}

function Chances({ odds }: { readonly odds: BoxOdds }) {
  const t = useWords("layout");
  const edge = fractionPercent(odds.house_edge, 1);
  return (
    <>
      <Sized class="layout-chance" text={fractionPercent(odds.probability)} />
      <Sized class="layout-edge" text={t("edge_short", { edge })} />
    </>
  );
}
