import type { EventView } from "../../answers.ts";
import type { Role } from "../../protocol.ts";
import { useWords } from "../../words/words.ts";

const ROLES: Readonly<Record<Role, true>> = {
  dealer: true,
  supervisor: true,
  "pit-manager": true,
  "shift-manager": true,
  auditor: true,
  cage: true,
  technician: true,
  terminal: true,
  system: true,
  device: true,
};

function isRole(role: string): role is Role {
  return Object.hasOwn(ROLES, role);
}

/** Who caused an event: the person and role, and the second person if there was one. */
export function Who({ event }: { readonly event: EventView }) {
  const t = useWords("audit");
  const shell = useWords("shell");
  const { person, role, second, second_role } = event;
  const inRole = (name: string, as: string | null): string => {
    if (as === null) return name;
    // The system's own events have no person's name.
    if (as === "system") return shell("role_system");
    return t("person_in_role", { person: name, role: isRole(as) ? shell(`role_${as}`) : as });
  };
  return (
    <span>
      {person === null ? t("nobody") : inRole(person, role)}
      {second !== null && (
        <>
          {t("semicolon")}
          {t("second_person", { person: inRole(second, second_role) })}
        </>
      )}
    </span>
  );
}
