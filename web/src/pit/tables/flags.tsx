/** Flags and levels, each with a shape, a word and a colour. */

import { SHAPES, type Flag } from "./condition.ts";
import "./flags.css";

export function Flags({ flags }: { readonly flags: readonly Flag[] }) {
  if (flags.length === 0) return null;
  return (
    <ul class="pit-flags">
      {flags.map(({ code, level, words }) => (
        <li key={code} class={`pit-flag pit-level-${level}`}>
          <span class="pit-shape" aria-hidden="true">
            {SHAPES[level]}
          </span>{" "}
          {words}
        </li>
      ))}
    </ul>
  );
}
