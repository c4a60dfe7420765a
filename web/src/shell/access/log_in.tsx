import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";

import { demoStaff, logIn, post, Problem } from "../../live/index.ts";
import type { Role } from "../../protocol.ts";
import { capital } from "../../words/capital.ts";
import { said } from "../../words/said.ts";
import { useWords } from "../../words/words.ts";
import { Button } from "../controls/button.tsx";
import { Choice, Field } from "../controls/field.tsx";
import { KeypadField } from "../controls/keypad.tsx";
import { venue } from "./venue.ts";
import { notify } from "../notices.tsx";
import { beginSession } from "./session.ts";

interface LogInProps {
  /** The roles that may log in here, the likeliest first. */
  readonly roles: readonly Role[];
}

/** Logs staff in: by one click in a demo, otherwise with name, password and role. */
export function LogIn({ roles }: LogInProps) {
  const first = useSignal(false);
  if (venue.value === null) return null;
  if (venue.value.demo) return <DemoRoles roles={roles} />;
  if (first.value) return <FirstPassword onDone={() => (first.value = false)} />;
  return <Password roles={roles} onFirst={() => (first.value = true)} />;
}

function DemoRoles({ roles }: LogInProps) {
  const t = useWords("shell");
  const { fault, busy, send } = useSending();
  return (
    <div class="page-form">
      <p class="page-wait">{t("be_hint")}</p>
      <div class="page-roles">
        {roles.map((role, place) => (
          <Button
            key={role}
            kind={place === 0 ? "main" : "plain"}
            busy={busy}
            onClick={() => send(async () => beginSession(await demoStaff(role)))}
          >
            {t("be", { role: t(`role_${role}`) })}
          </Button>
        ))}
      </div>
      <Fault>{fault}</Fault>
    </div>
  );
}

interface PasswordProps extends LogInProps {
  readonly onFirst: () => void;
}

function Password({ roles, onFirst }: PasswordProps) {
  const t = useWords("shell");
  const { fault, busy, send } = useSending();
  const submit = (event: SubmitEvent): void => {
    const { person, password, role } = given(event);
    send(async () => beginSession(await logIn(person ?? "", password ?? "", role as Role)));
  };
  return (
    <form class="page-form" onSubmit={submit}>
      <Field label={t("person")} name="person" autocomplete="username" required maxLength={64} />
      <Field
        label={t("password")}
        name="password"
        type="password"
        autocomplete="current-password"
        required
        maxLength={256}
      />
      <Choice label={t("role")} name="role">
        {roles.map((role) => (
          <option key={role} value={role}>
            {t(`role_${role}`)}
          </option>
        ))}
      </Choice>
      <Fault>{fault}</Fault>
      <Button kind="main" type="submit" busy={busy}>
        {t("log_in")}
      </Button>
      <Button kind="quiet" onClick={onFirst}>
        {t("first_time")}
      </Button>
    </form>
  );
}

/** Set a first password and PIN with the code that the person was given. */
function FirstPassword({ onDone }: { readonly onDone: () => void }) {
  const t = useWords("shell");
  const { fault, busy, send } = useSending();
  const submit = (event: SubmitEvent): void => {
    const { person, code, password, pin } = given(event);
    const address = `/api/staff/${encodeURIComponent(person ?? "")}/credentials`;
    send(async () => {
      await post<undefined>(address, { code, password, pin });
      notify(() => t("password_set"));
      onDone();
    });
  };
  return (
    <form class="page-form" onSubmit={submit} aria-label={t("first_time_title")}>
      <h2>{t("first_time_title")}</h2>
      <p>{t("first_time_how")}</p>
      <Field label={t("person")} name="person" autocomplete="username" required maxLength={64} />
      <Field label={t("code")} name="code" autocomplete="one-time-code" required maxLength={64} />
      <Field
        label={t("new_password")}
        hint={t("password_rule")}
        name="password"
        type="password"
        autocomplete="new-password"
        required
        minLength={12}
        maxLength={256}
      />
      <KeypadField
        label={t("pin")}
        hint={t("pin_rule")}
        name="pin"
        type="password"
        autocomplete="off"
        required
        pattern="[0-9]{6,12}"
        maxLength={12}
      />
      <Fault>{fault}</Fault>
      <Button kind="main" type="submit" busy={busy}>
        {t("set_password")}
      </Button>
      <Button kind="quiet" onClick={onDone}>
        {t("cancel")}
      </Button>
    </form>
  );
}

/** The values of a form, by name. */
export function given(event: SubmitEvent): Record<string, string | undefined> {
  event.preventDefault();
  const form = event.currentTarget;
  if (!(form instanceof HTMLFormElement)) return {};
  const entries = [...new FormData(form)].filter((entry) => typeof entry[1] === "string");
  return Object.fromEntries(entries as [string, string][]);
}

/** Send requests to the server, one at a time; a refusal gives a sentence to show. */
export function useSending() {
  const fault = useSignal<string | null>(null);
  const busy = useSignal(false);
  const send = (work: () => Promise<void>): void => {
    if (busy.peek()) return;
    busy.value = true;
    fault.value = null;
    work()
      .catch((error: unknown) => {
        if (!(error instanceof Problem)) throw error;
        fault.value = error.message;
      })
      .catch(reportError)
      .finally(() => {
        busy.value = false;
      });
  };
  return { fault: fault.value === null ? null : said(fault.value), busy: busy.value, send };
}

/** The sentence of a refusal, announced when it appears. */
export function Fault({ children }: { readonly children: ComponentChildren }) {
  const shown = typeof children === "string" ? capital(said(children)) : children;
  return <div role="alert">{children !== null && <p class="page-fault">{shown}</p>}</div>;
}
