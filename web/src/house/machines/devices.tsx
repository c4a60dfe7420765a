/** The dice and the equipment of a table: as the Pit lists them, without the rest of an opening. */

import { OpeningList } from "../../pit/opening/opening.tsx";
import { useOpening } from "../../pit/opening/use_opening.ts";
import { useWords } from "../../words/words.ts";
import type { House } from "../house.ts";

/** The acts about a device. */
const OF_DEVICES: ReadonlySet<string> = new Set(["RegisterDice", "RegisterEquipment", "TryTumbler", "ReadSeal"]);

interface Props {
  readonly house: House;
  readonly table: string;
}

export function Devices({ house, table }: Props) {
  const t = useWords("house");
  const opening = useOpening(table, () => {
    void house.floor.answer.value;
    void house.approvals.answer.value;
  }).value;
  if (opening.value === null) return <p class="pit-quiet">{opening.sentence ?? t("asking")}</p>;
  const wanted = opening.value.wanted.filter(({ step }) => OF_DEVICES.has(step.command));
  return (
    <>
      <p class="pit-quiet">{t(opening.value.open ? "devices_open" : "devices_how")}</p>
      <OpeningList floor={house} seen={null} opening={{ ...opening.value, checked_by: null, wanted }} />
    </>
  );
}
