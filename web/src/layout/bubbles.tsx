/** Bubbles next to boxes that say why a bet was refused. */

import type { BoxMarks } from "./types.ts";

interface BubbleProps {
  readonly name: string;
  readonly refused: NonNullable<BoxMarks["refused"]>;
  /** Its place when it appears: at the area where the chip was put down. */
  readonly where: () => {
    readonly class: string;
    readonly style?: Readonly<Record<string, string>>;
  };
}

/** A bubble, shown while its box has a reason; the layer around it announces it. */
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
