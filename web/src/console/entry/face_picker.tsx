/** A field for three dice in a form: pressed in any order, a new face replaces the oldest. */

import { useLayoutEffect, useRef } from "preact/hooks";

import { DieFace } from "../../layout/dice/dice.tsx";
import { Button } from "../../shell/index.ts";
import { useWords } from "../../words/words.ts";
import type { Taker } from "../keys.ts";
import { ECHO } from "../steps/next.ts";
import "./face_picker.css";

const FACES = [1, 2, 3, 4, 5, 6] as const;

interface Props {
  readonly faces: readonly number[];
  readonly onFaces: (faces: readonly number[]) => void;
  /** Takes keys 1 to 6 for these dice as long as they are shown. */
  readonly takeKeys: (taker: Taker | null) => void;
  /** Called on Enter once there are three dice. */
  readonly onEnter?: () => void;
}

export function FacePicker({ faces, onFaces, takeKeys, onEnter }: Props) {
  const t = useWords("console");
  // A second key may come before the first one is drawn.
  const latest = useRef(faces);
  latest.current = faces;
  const press = (face: number): void => {
    latest.current = [...latest.current, face].slice(-ECHO);
    onFaces(latest.current);
  };
  useLayoutEffect(() => {
    takeKeys({ face: press, enter: () => onEnter?.() });
    return () => takeKeys(null);
  });
  const places = Array.from({ length: ECHO }, (_, place) => faces[place] ?? null);
  return (
    <fieldset class="console-picker">
      <legend>{t("dice_shown")}</legend>
      <p class="console-picker-places" role="status" aria-label={t("led", { faces: faces.join(", ") || "–" })}>
        {places.map((face, place) => (
          <DieFace key={place} face={face} />
        ))}
      </p>
      <div class="console-picker-keys">
        {FACES.map((face) => (
          <Button key={face} aria-label={t("face", { face })} onClick={() => press(face)}>
            <DieFace face={face} />
          </Button>
        ))}
      </div>
    </fieldset>
  );
}
