/** The help on the console's keys, with a switch to turn them off. */

import { Button, Dialog } from "../shell/index.ts";
import { useWords } from "../words/words.ts";
import type { Board } from "./board.ts";
import { ChipHelp } from "./chips/help.tsx";
import { keys } from "./keys.ts";
import { KeyTable } from "./parts/key_table.tsx";

interface Props {
  readonly board: Board;
  readonly onClose: () => void;
}

export function Help({ board, onClose }: Props) {
  const t = useWords("console");
  const lines = [
    [t("key_space"), t("help_next")],
    ["1 – 6", t("help_faces")],
    ["Enter", t("help_enter")],
    // At a chip table it is the letter of a box.
    ...(board.isChipTable ? [] : [["B", t("help_bell")] as const]),
    ["?", t("help_help")],
  ] as const;
  return (
    <Dialog title={t("help_title")} onClose={onClose}>
      <KeyTable lines={lines} />
      {board.isChipTable && <ChipHelp recorder={board.recorder} />}
      <p class="console-hint">{t("help_how")}</p>
      <Button
        aria-pressed={keys.value === "on"}
        onClick={() => {
          keys.value = keys.value === "on" ? "off" : "on";
        }}
      >
        {keys.value === "on" ? t("keys_off") : t("keys_on")}
      </Button>
    </Dialog>
  );
}
