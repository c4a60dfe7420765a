import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

import { addressOf, Button, LanguageChoice, ThemeSwitch } from "../shell/index.ts";
import { useWords } from "../words/words.ts";

/** How long the corner stays after the last movement. */
const STAYS_MS = 4_000;

/** The few settings of a wall screen, in a corner that fades without input. */
export function Corner({ table }: { readonly table: string | null }) {
  const t = useWords("display");
  const isNear = useSomebody();
  const isFull = useFullScreen();
  const turn = (): void => {
    const turned = isFull ? document.exitFullscreen() : document.documentElement.requestFullscreen();
    turned.catch(console.warn);
  };
  return (
    <div class={isNear ? "display-corner" : "display-corner display-corner-gone"} role="group" aria-label={t("corner")}>
      {table !== null && (
        <a class="button button-quiet" href={addressOf("display")}>
          {t("all_tables")}
        </a>
      )}
      <LanguageChoice />
      <ThemeSwitch />
      {document.fullscreenEnabled && (
        <Button kind="quiet" onClick={turn}>
          {t(isFull ? "leave_full_screen" : "full_screen")}
        </Button>
      )}
    </div>
  );
}

/** Whether a pointer has moved or a key was pressed a moment ago. */
function useSomebody(): boolean {
  const isNear = useSignal(false);
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const moved = (): void => {
      isNear.value = true;
      clearTimeout(waiting);
      waiting = setTimeout(() => {
        isNear.value = false;
      }, STAYS_MS);
    };
    addEventListener("pointermove", moved);
    addEventListener("pointerdown", moved);
    addEventListener("keydown", moved);
    return () => {
      clearTimeout(waiting);
      removeEventListener("pointermove", moved);
      removeEventListener("pointerdown", moved);
      removeEventListener("keydown", moved);
    };
  }, []);
  return isNear.value;
}

function useFullScreen(): boolean {
  const isFull = useSignal(document.fullscreenElement != null);
  useEffect(() => {
    const changed = (): void => {
      isFull.value = document.fullscreenElement != null;
    };
    document.addEventListener("fullscreenchange", changed);
    return () => document.removeEventListener("fullscreenchange", changed);
  }, []);
  return isFull.value;
}
