/** The founding of a house without staff: two persons, with half of the printed code each. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import type { FounderAsked, VenueAsked, VenueView } from "../../answers.ts";
import { get, post, Problem } from "../../live/index.ts";
import { addressOf, Button, Choice, Fault, Field, given, KeypadField, useSending } from "../../shell/index.ts";
import { lasting } from "../../words/said.ts";
import { useWords } from "../../words/words.ts";
import { AMOUNT_LETTERS_MAX, readAmount } from "../../words/written.ts";
import { RolesField, rolesOf } from "../roles_field.tsx";
import "../house.css";

const STEPS = ["house", "first", "second"] as const;
type Step = (typeof STEPS)[number];
/** The roles ticked at first: together the two founders can appoint everybody else. */
const BEGIN = { first: ["shift-manager"], second: ["pit-manager", "technician"] } as const;
/** How often a founded house is asked whether it is open. */
const AGAIN_MS = 300;

type Filled = Readonly<Record<string, string | undefined>>;

export default function Founding({ venue }: { readonly venue: VenueView }) {
  const t = useWords("house");
  const step = useSignal<Step>("house");
  const house = useSignal<VenueAsked | null>(null);
  const first = useSignal<FounderAsked | null>(null);
  const founded = useSignal<readonly [string, string] | null>(null);
  const { fault, busy, send } = useSending();
  const title = useRef<HTMLHeadingElement>(null);
  const shown = founded.value === null ? step.value : "founded";
  useEffect(() => {
    // The next person begins at the top of the page, with the focus too.
    if (shown !== "house") title.current?.focus();
  }, [shown]);
  if (founded.value !== null) return <Founded names={founded.value} />;
  const found = async (second: FounderAsked): Promise<void> => {
    await post<undefined>("/api/founding", { venue: house.peek(), first: first.peek(), second });
    founded.value = [first.peek()?.person ?? "", second.person];
  };
  const at = STEPS.indexOf(step.value);
  return (
    <section class="page house-founding">
      <h1>{t("founding_title")}</h1>
      {step.value === "house" && <p>{t("founding_how")}</p>}
      <p class="pit-quiet">{t("founding_step", { step: at + 1, steps: STEPS.length })}</p>
      <h2 ref={title} tabIndex={-1}>
        {t(`founding_${step.value}`)}
      </h2>
      {step.value === "house" && (
        <HouseStep
          venue={venue}
          before={house.value}
          onDone={(filled) => {
            house.value = filled;
            step.value = "first";
          }}
        />
      )}
      {step.value === "first" && (
        <PersonStep
          key="first"
          who="first"
          before={first.value}
          fault={null}
          busy={false}
          onBack={() => (step.value = "house")}
          onDone={(filled) => {
            first.value = filled;
            step.value = "second";
          }}
        />
      )}
      {step.value === "second" && (
        <PersonStep
          key="second"
          who="second"
          before={null}
          fault={fault}
          busy={busy}
          onBack={() => (step.value = "first")}
          onDone={(filled) => send(() => found(filled))}
        />
      )}
    </section>
  );
}

interface HouseStepProps {
  readonly venue: VenueView;
  readonly before: VenueAsked | null;
  readonly onDone: (asked: VenueAsked) => void;
}

function HouseStep({ venue, before, onDone }: HouseStepProps) {
  const t = useWords("house");
  const fault = useSignal<string | null>(null);
  // If the venue has tables, a floor plan has already set the currency.
  const fixed = venue.currency !== "";
  const submit = (event: SubmitEvent): void => {
    const filled = given(event);
    const house = fixed ? { name: venue.name, currency: venue.currency } : houseOf(filled);
    fault.value = house === null ? lasting(() => t("not_amount")) : null;
    if (house !== null) onDone(house);
  };
  return (
    <form class="page-form" onSubmit={submit}>
      {fixed ? (
        <p>{t("founding_fixed", { name: venue.name, currency: venue.currency })}</p>
      ) : (
        <HouseFields before={before} fault={fault.value} />
      )}
      <p class="pit-acts">
        <Button kind="main" type="submit">
          {t("next")}
        </Button>
      </p>
    </form>
  );
}

function HouseFields({ before, fault }: { readonly before: VenueAsked | null; readonly fault: string | null }) {
  const t = useWords("house");
  const zone = before?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones = [...new Set([zone, "UTC", ...Intl.supportedValuesOf("timeZone")])];
  const text = { autocomplete: "off", maxLength: 64 } as const;
  return (
    <>
      <Field label={t("house_name")} name="name" defaultValue={before?.name ?? ""} required autofocus {...text} />
      <Field
        label={t("operator")}
        hint={t("operator_how")}
        name="operator"
        defaultValue={before?.operator ?? ""}
        {...text}
      />
      <Field
        label={t("currency")}
        hint={t("currency_how")}
        name="currency"
        pattern="[A-Z]{3}"
        defaultValue={before?.currency ?? "SGD"}
        required
        autocomplete="off"
        maxLength={3}
      />
      <Field
        label={t("voucher_days")}
        name="voucher_days"
        type="number"
        min={1}
        max={3650}
        defaultValue={String(before?.voucher_days ?? 30)}
        required
      />
      <Field
        label={t("approve_above")}
        hint={t("approve_above_how")}
        fault={fault}
        name="approve_above"
        inputMode="decimal"
        autocomplete="off"
        maxLength={AMOUNT_LETTERS_MAX}
      />
      <Choice label={t("day_starts")} name="day_starts">
        {Array.from({ length: 24 }, (_, hour) => (
          <option key={hour} value={hour} selected={hour === (before?.day_starts ?? 6)}>
            {String(hour).padStart(2, "0")}:00
          </option>
        ))}
      </Choice>
      <Choice label={t("time_zone")} name="time_zone">
        {zones.map((each) => (
          <option key={each} selected={each === zone}>
            {each}
          </option>
        ))}
      </Choice>
    </>
  );
}

/** The values of the form; null if an amount is invalid. */
function houseOf(filled: Filled): VenueAsked | null {
  const above = readAmount(filled["approve_above"] ?? "");
  if (above === undefined) return null;
  return {
    name: (filled["name"] ?? "").trim(),
    operator: (filled["operator"] ?? "").trim(),
    currency: filled["currency"] ?? "",
    voucher_days: Number(filled["voucher_days"]),
    approve_above: above,
    day_starts: Number(filled["day_starts"]),
    time_zone: filled["time_zone"] ?? "UTC",
  };
}

interface PersonStepProps {
  readonly who: "first" | "second";
  readonly before: FounderAsked | null;
  readonly fault: string | null;
  readonly busy: boolean;
  readonly onBack: () => void;
  readonly onDone: (founder: FounderAsked) => void;
}

function PersonStep({ who, before, fault, busy, onBack, onDone }: PersonStepProps) {
  const t = useWords("house");
  const shell = useWords("shell");
  const wrong = useSignal<"password" | "pin" | "roles" | null>(null);
  const submit = (event: SubmitEvent): void => {
    const filled = given(event);
    const { person = "", half = "", password = "", pin = "" } = filled;
    const roles = rolesOf(filled);
    wrong.value =
      password !== filled["password_again"]
        ? "password"
        : pin !== filled["pin_again"]
          ? "pin"
          : roles.length === 0
            ? "roles"
            : null;
    if (wrong.value === null) onDone({ person: person.trim(), roles, half, password, pin });
  };
  const secret = { type: "password", required: true } as const;
  const digits = { pattern: "[0-9]{6,12}", maxLength: 12, autocomplete: "off" } as const;
  const letters = { minLength: 12, maxLength: 256, autocomplete: "new-password" } as const;
  return (
    <form class="page-form" onSubmit={submit}>
      <p>{t(`founding_${who}_how`)}</p>
      <Field label={shell("person")} name="person" autocomplete="off" defaultValue={before?.person ?? ""} required maxLength={64} />
      <Field
        label={t("half")}
        hint={t("half_how")}
        name="half"
        autocomplete="off"
        autocapitalize="characters"
        spellcheck={false}
        defaultValue={before?.half ?? ""}
        required
        maxLength={64}
      />
      <RolesField given={before?.roles ?? BEGIN[who]} fault={wrong.value === "roles" ? t("no_role") : null} />
      <Field label={shell("new_password")} hint={shell("password_rule")} name="password" {...secret} {...letters} />
      <Field
        label={t("password_again")}
        fault={wrong.value === "password" ? t("not_the_same") : null}
        name="password_again"
        {...secret}
        {...letters}
      />
      <KeypadField label={shell("pin")} hint={shell("pin_rule")} name="pin" {...secret} {...digits} />
      <KeypadField
        label={t("pin_again")}
        fault={wrong.value === "pin" ? t("not_the_same") : null}
        name="pin_again"
        {...secret}
        {...digits}
      />
      <Fault>{fault}</Fault>
      <p class="pit-acts">
        <Button kind="main" type="submit" busy={busy}>
          {t(who === "first" ? "next" : "found")}
        </Button>
        <Button onClick={onBack}>{t("back")}</Button>
      </p>
    </form>
  );
}

/** Waits for the house to open, and then offers a button that loads its page. */
function Founded({ names: [first, second] }: { readonly names: readonly [string, string] }) {
  const t = useWords("house");
  const open = useSignal(false);
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const ask = async (): Promise<void> => {
      try {
        open.value = (await get<VenueView>("/api/venue")).founded;
      } catch (error) {
        // While the server restarts it does not answer.
        if (!(error instanceof Problem)) throw error;
      }
      if (!open.peek()) waiting = setTimeout(() => void ask(), AGAIN_MS);
    };
    void ask();
    return () => clearTimeout(waiting);
  }, []);
  return (
    <section class="page house-founding" role="status">
      <h1>{t("founded_title")}</h1>
      <p>{t("founded_how", { first, second })}</p>
      {open.value ? (
        <button
          type="button"
          class="button button-main"
          onClick={() => {
            // Load everything again: this page was for a house without staff.
            location.assign(addressOf("house"));
          }}
        >
          {t("founded_go")}
        </button>
      ) : (
        <p class="page-wait">{t("founding_opens")}</p>
      )}
    </section>
  );
}
