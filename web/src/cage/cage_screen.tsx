/** The layout of the cage: the counter, beside it the drawer and unclaimed money, lists below. */

import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";

import type { SessionView } from "../answers.ts";
import type { Link } from "../live/index.ts";
import { Waiting } from "../pit/attention/waiting.tsx";
import { Forms, Past, Shift, Unclaimed, Ways, type Of, type Opened } from "../pit/cage/cage.tsx";
import { useFloor, type Floor } from "../pit/floor.ts";
import { useOutcomes } from "../pit/outcomes.ts";
import { saidOf } from "../words/said.ts";
import { useWords } from "../words/words.ts";
import { Counter } from "./counter.tsx";
import { Desk } from "./desk.ts";
import { HandPays } from "./hand_pays.tsx";
import { Receipts } from "./receipts.tsx";
import { useTypedScan } from "./scanning.ts";
import { Sell } from "./sell.tsx";
import { VouchersOut } from "./vouchers_out.tsx";
import "../pit/pit.css";
import "../pit/figures/figures.css";
import "./cage.css";

interface Props {
  readonly link: Link;
  readonly who: SessionView;
}

export function CageScreen({ link, who }: Props) {
  const t = useWords("cage");
  const floor = useFloor(link, who);
  const desk = useDesk(floor);
  const opened = useSignal<Opened | null>(null);
  useOutcomes(floor);
  useEffect(() => floor.drawer.follow(), [floor]);
  const presented = useSignal<string | null>(null);
  useTypedScan((what) => {
    if ("voucher" in what) presented.value = what.voucher;
    else opened.value = { form: "unclaimed", code: what.session };
  });
  const drawer = floor.drawer.answer.value;
  const fault = saidOf(floor.drawer.fault.value);
  if (drawer === null) return <p class="page page-wait">{fault ?? t("look")}</p>;
  const given: Of = { floor, drawer, opened };
  return (
    <div class="cage">
      <h1 class="unseen">{t("title")}</h1>
      {fault !== null && <p class="pit-refused cage-fault">{fault}</p>}
      <div class="cage-counter">
        <Counter desk={desk} scanned={presented} />
        <Sell desk={desk} open={drawer.shift !== null} />
      </div>
      <div class="cage-beside">
        <Waiting floor={floor} />
        <Shift {...given} />
        <HandPays floor={floor} wins={drawer.locked} />
        <Unclaimed opened={opened} />
        <Receipts />
      </div>
      <div class="cage-lists">
        <VouchersOut desk={desk} />
        <Ways {...given} />
        <Past drawer={drawer} />
      </div>
      <Forms {...given} />
    </div>
  );
}

function useDesk(floor: Floor): Desk {
  const t = useWords("cage");
  const words = useRef(t);
  words.current = t;
  const desk = useMemo(() => new Desk(floor, () => words.current), [floor]);
  useEffect(() => desk.follow(), [desk]);
  return desk;
}
