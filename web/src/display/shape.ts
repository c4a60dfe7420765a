import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** The shape of a screen: wide, nearly square, or upright. */
export type Shape = "wide" | "square" | "tall";

const TALL = "(max-aspect-ratio: 1/1)";
const SQUARE = "(max-aspect-ratio: 3/2)";

function shapeNow(): Shape {
  if (matchMedia(TALL).matches) return "tall";
  return matchMedia(SQUARE).matches ? "square" : "wide";
}

/** The shape of the screen, updated when it is turned. */
export function useShape(): Shape {
  const shape = useSignal<Shape>(shapeNow());
  useEffect(() => {
    const look = (): void => {
      shape.value = shapeNow();
    };
    addEventListener("resize", look);
    return () => removeEventListener("resize", look);
  }, []);
  return shape.value;
}
