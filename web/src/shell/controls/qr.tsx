import { encodeQR } from "qr";
import { useMemo } from "preact/hooks";

import "./qr.css";

/** The empty margin that scanners need, in modules. */
const EDGE = 4;

interface QrProps {
  /** The content of the code. It is drawn here and sent nowhere. */
  readonly text: string;
  /** What the code is, for a screen reader. */
  readonly label: string;
}

/** A QR code, drawn as one path: black on white in every theme, as scanners need it. */
export function Qr({ text, label }: QrProps) {
  const { path, size } = useMemo(() => drawn(text), [text]);
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

/** The dark runs of each row, as one path. */
function drawn(text: string): { readonly path: string; readonly size: number } {
  const rows = encodeQR(text, "raw", { border: EDGE, ecc: "medium" });
  const runs = rows.flatMap((row, y) =>
    row.flatMap((dark, x) => (dark && row[x - 1] !== true ? [`M${x} ${y}h${lengthAt(row, x)}v1h-${lengthAt(row, x)}z`] : [])),
  );
  return { path: runs.join(""), size: rows.length };
}

function lengthAt(row: readonly boolean[], x: number): number {
  const end = row.indexOf(false, x);
  return (end === -1 ? row.length : end) - x;
}
