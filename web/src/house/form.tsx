/** A form of the house in a window: its fields, a refusal, and whether it waits. */

import type { ComponentChildren } from "preact";

import { Button, Dialog, Fault, given } from "../shell/index.ts";
import { useWords } from "../words/words.ts";

interface Props {
  readonly title: string;
  /** The text of its button; the title if it is left out. */
  readonly act?: string;
  readonly kind?: "main" | "grave";
  readonly second?: boolean;
  readonly fault: string | null;
  readonly busy: boolean;
  /** Whether it waits for a second person: then the fields are hidden. */
  readonly waits?: boolean;
  readonly onGiven: (filled: Readonly<Record<string, string | undefined>>) => void;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
}

export function HouseForm(props: Props) {
  const { title, act = title, kind = "main", second = false, waits = false, fault, busy, children } = props;
  const t = useWords("house");
  return (
    <Dialog title={title} onClose={props.onClose}>
      <form class="pit-form" onSubmit={(event) => props.onGiven(given(event))}>
        <fieldset class="house-fields" disabled={waits}>
          {children}
        </fieldset>
        {second && !waits && <p class="pit-quiet">{t("takes_two")}</p>}
        <p role="status" class={waits ? "house-waits" : undefined}>
          {waits && t("waits_for_second")}
        </p>
        <Fault>{fault}</Fault>
        <p class="pit-acts">
          {!waits && (
            <Button kind={kind} type="submit" busy={busy}>
              {act}
            </Button>
          )}
          <Button onClick={props.onClose}>{t(waits ? "close" : "cancel")}</Button>
        </p>
      </form>
    </Dialog>
  );
}
