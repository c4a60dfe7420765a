/** Why a bet was refused, next to its box. */

import type { BoxMarks } from "./types.ts";

interface BubbleProps {
  readonly name: string;
  readonly refused: NonNullable<BoxMarks["refused"]>;
  /** Where it belongs when it appears: the area in which the chip was put down. */
  readonly where: () => {
    readonly class: string;
    readonly style?: Readonly<Record<string, string>>;
  };
}

/** A bubble that is there while its box has a reason; the layer around it announces it. */
export function Bubble({ name, refused, where }: BubbleProps) {
  const reason = refused.value;
  if (reason === null) return null;
  const { class: side, style = {} } = where();
  return (
    <span class={`layout-bubble ${side}`} style={style}>
      <span class="layout-bubble-words">
        <strong>{name}</strong> {reason}
      </span>
    </span>
  );
}
