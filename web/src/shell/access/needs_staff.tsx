import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

import type { SessionView } from "../../answers.ts";
import { openLink, tabSession, type Link } from "../../live/index.ts";
import type { Role } from "../../protocol.ts";
import { useWords } from "../../words/words.ts";
import { venue } from "./venue.ts";
import { followLine } from "../connection.tsx";
import { LogIn } from "./log_in.tsx";
import { here } from "../router.ts";
import { askSession, session } from "./session.ts";

interface NeedsStaffProps {
  /** The roles that may see the content, the likeliest first. */
  readonly roles: readonly Role[];
  readonly children: (link: Link, who: SessionView) => ComponentChildren;
}

/** Shows its content to staff in given roles, with their live link; to others, the log-in. */
export function NeedsStaff({ roles, children }: NeedsStaffProps) {
  const t = useWords("shell");
  const who = session.value;
  const known = venue.value;
  useEffect(() => {
    // Asked once the server answers, and again if it was unreachable before.
    if (known === null || session.peek() !== "asking") return;
    askSession(known.demo).catch(() => undefined);
  }, [known]);
  if (who === "asking" || known === null) {
    return <p class="page page-wait">{t("connecting")}</p>;
  }
  if (who !== null && roles.includes(who.role)) {
    const name = `${who.person} ${who.role} ${who.began}`;
    return <WithLink key={name}>{(link) => children(link, who)}</WithLink>;
  }
  const { screen } = here.value;
  const listed = roles.map((role) => t(`role_${role}`)).join(t("list_join"));
  return (
    <section class="page">
      <h1>{screen === null ? t("needs_staff_title") : t(`title_${screen}`)}</h1>
      <p>
        {t("needs_staff", { roles: listed })}
      </p>
      {who !== null && <p>{t("wrong_role", { role: t(`role_${who.role}`) })}</p>}
      <LogIn roles={roles} />
    </section>
  );
}

/** Opens the link of the person logged in; asks the server who that is if it ends the link. */
function WithLink({ children }: { readonly children: (link: Link) => ComponentChildren }) {
  const t = useWords("shell");
  const link = useSignal<Link | null>(null);
  useEffect(() => {
    const token = tabSession.peek();
    const opened = openLink(token === null ? { staff: true } : { session: token });
    const unfollow = followLine(opened);
    const unwatch = opened.status.subscribe((status) => {
      // The end of a session ends its link; then the log-in is shown again.
      if (status === "ended") askSession().catch(() => undefined);
    });
    link.value = opened;
    return () => {
      unwatch();
      unfollow();
      opened.close();
    };
  }, []);
  if (link.value === null) return <p class="page page-wait">{t("connecting")}</p>;
  return <>{children(link.value)}</>;
}
