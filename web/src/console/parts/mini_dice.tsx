/** Three dice, as small as can be read; the text beside them says the same in words. */

import { DieFace } from "../../layout/dice/dice.tsx";

export function MiniDice({ faces }: { readonly faces: readonly number[] }) {
  return (
    <span class="console-mini-dice" aria-hidden="true">
      {faces.map((face, place) => (
        <DieFace key={place} face={face} />
      ))}
    </span>
  );
}
