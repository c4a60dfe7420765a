/** A field to tick the roles that a person may take. */

import { useId } from "preact/hooks";

import type { Role } from "../protocol.ts";
import { useWords } from "../words/words.ts";

/** The roles of the staff, in the order of the house. */
export const STAFF_ROLES = [
  ...(["shift-manager", "pit-manager", "supervisor", "dealer", "cage", "technician", "auditor"] as const),
] satisfies readonly Role[];

interface Props {
  readonly given: readonly string[];
  readonly fault?: string | null;
}

export function RolesField({ given, fault = null }: Props) {
  const t = useWords("house");
  const shell = useWords("shell");
  const id = useId();
  return (
    <fieldset class="house-roles" aria-describedby={fault === null ? undefined : id}>
      <legend>{t("roles")}</legend>
      {STAFF_ROLES.map((role) => (
        <label key={role} class="house-tick">
          <input type="checkbox" name={`role ${role}`} defaultChecked={given.includes(role)} />
          {shell(`role_${role}`)}
        </label>
      ))}
      {fault !== null && (
        <p class="field-fault" id={id}>
          {fault}
        </p>
      )}
    </fieldset>
  );
}

/** The roles that were ticked in a form. */
export function rolesOf(filled: Readonly<Record<string, string | undefined>>): Role[] {
  return STAFF_ROLES.filter((role) => filled[`role ${role}`] !== undefined);
}
