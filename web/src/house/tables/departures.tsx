/** Written departures of a table from its rulebook: who approved each, and by which paper. */

import { useSignal } from "@preact/signals";

import type { Departure, FloorTable, RulebookList } from "../../answers.ts";
import { useOnce } from "../../pit/once.ts";
import { Choice, Field, notify, useSending } from "../../shell/index.ts";
import { useWords, type Words } from "../../words/words.ts";
import { HouseForm } from "../form.tsx";
import type { House } from "../house.ts";

const ASPECTS = ["operator", "form", "dice", "date"] as const;
const NAME_LETTERS_MAX = 64;

type Filled = Readonly<Record<string, string | undefined>>;

/** A departure in words. */
export function departureOf(t: Words<"house">, pit: Words<"pit">, departure: Departure): string {
  const [rulebook, aspect, by, reference] = departure;
  return t("departure", { rulebook, aspect: pit(`aspect_${aspect}`), by, reference });
}

/** The departures in force, and the source of each. */
export function Departures({ table }: { readonly table: FloorTable }) {
  const t = useWords("house");
  const pit = useWords("pit");
  const { planned_departures: planned, adopted_departures: adopted } = table;
  if (planned.length + adopted.length === 0) return <>{t("departures_none")}</>;
  return (
    <ul class="house-papers">
      {planned.map((each) => (
        <li key={each.join(" ")}>
          {departureOf(t, pit, each)} <span class="pit-quiet">{t("departure_planned")}</span>
        </li>
      ))}
      {adopted.map((each) => (
        <li key={each.join(" ")}>
          {departureOf(t, pit, each)} <span class="pit-quiet">{t("departure_adopted")}</span>
        </li>
      ))}
    </ul>
  );
}

interface Props {
  readonly house: House;
  readonly table: FloorTable;
  readonly onClose: () => void;
}

/** The form to keep or end adopted departures, and to write a new one. */
export function DeparturesForm({ house, table: { table, adopted_departures: adopted, outside }, onClose }: Props) {
  const t = useWords("house");
  const pit = useWords("pit");
  const books = useOnce<RulebookList>("/api/rulebooks");
  const rulebook = useSignal("");
  const nothing = useSignal(false);
  const { fault, busy, send } = useSending();
  const found = outside.filter((each) => each.rulebook === rulebook.value);
  const given = (filled: Filled): void => {
    const kept = adopted.filter((_, place) => filled[`keep-${place}`] !== undefined);
    const written = writtenIn(filled);
    nothing.value = written === null && kept.length === adopted.length;
    if (nothing.value) return;
    send(async () => {
      const departures = written === null ? kept : [...kept, written];
      await house.propose(table, { type: "AdoptDepartures", departures });
      notify(() => t("asked_for"));
      onClose();
    });
  };
  const text = { autocomplete: "off", maxLength: NAME_LETTERS_MAX, required: rulebook.value !== "" } as const;
  return (
    <HouseForm
      title={t("departures_of", { table })}
      act={t("departures_act")}
      second
      fault={nothing.value ? t("departures_same") : fault}
      busy={busy}
      onGiven={given}
      onClose={onClose}
    >
      <p class="pit-quiet">{t("departures_how")}</p>
      {adopted.length > 0 && (
        <fieldset class="house-roles">
          <legend>{t("departures_kept")}</legend>
          {adopted.map((each, place) => (
            <label key={place} class="house-tick house-paper">
              <input type="checkbox" name={`keep-${place}`} defaultChecked />
              {departureOf(t, pit, each)}
            </label>
          ))}
        </fieldset>
      )}
      <Choice
        label={t("departure_from")}
        name="rulebook"
        onChange={(event) => (rulebook.value = event.currentTarget.value)}
      >
        <option value="">{t("departure_none_new")}</option>
        {(books.value?.rulebooks ?? []).map(({ key, title }) => (
          <option key={key} value={key}>
            {`${key} · ${title}`}
          </option>
        ))}
      </Choice>
      {rulebook.value !== "" && (
        <>
          <Outside found={found} demo={house.floor.answer.value?.demo === true} />
          <Choice key={rulebook.value} label={t("departure_aspect")} name="aspect">
            {ASPECTS.map((aspect) => (
              <option key={aspect} value={aspect} selected={aspect === found[0]?.aspect}>
                {pit(`aspect_${aspect}`)}
              </option>
            ))}
          </Choice>
          <Field label={t("departure_by")} hint={t("departure_by_how")} name="by" {...text} />
          <Field label={t("departure_paper")} hint={t("departure_paper_how")} name="reference" {...text} />
        </>
      )}
    </HouseForm>
  );
}

/** The aspects in which the table departs from what its rulebook is approved for. */
function Outside({ found, demo }: { readonly found: FloorTable["outside"]; readonly demo: boolean }) {
  const t = useWords("house");
  const pit = useWords("pit");
  if (found.length === 0) return <p class="pit-quiet">{t(demo ? "outside_demo" : "outside_none")}</p>;
  return (
    <ul class="house-papers">
      {found.map(({ aspect, approved, here }) => (
        <li key={aspect}>{t("outside", { aspect: pit(`aspect_${aspect}`), approved, here })}</li>
      ))}
    </ul>
  );
}

function writtenIn({ rulebook = "", aspect = "", by = "", reference = "" }: Filled): Departure | null {
  const known = ASPECTS.find((each) => each === aspect);
  return rulebook === "" || known === undefined ? null : [rulebook, known, by.trim(), reference.trim()];
}
