import { Component, type ComponentChildren } from "preact";

import { useWords } from "../words/words.ts";
import { Button } from "./controls/button.tsx";

interface Props {
  /** The screen that the error belongs to; another screen clears it. */
  readonly of: string;
  readonly children: ComponentChildren;
}

interface State {
  readonly fault: unknown;
  readonly of: string;
}

/** Shows a sentence and a way on in place of a screen that has thrown an error. */
export class Boundary extends Component<Props, State> {
  override state: State = { fault: null, of: this.props.of };

  static override getDerivedStateFromError(fault: unknown): Partial<State> {
    return { fault: fault ?? new Error("nothing was shown") };
  }

  static override getDerivedStateFromProps({ of }: Props, state: State): State | null {
    return of === state.of ? null : { fault: null, of };
  }

  override componentDidCatch(fault: unknown): void {
    reportError(fault);
  }

  override render({ children }: Props, { fault }: State) {
    return fault === null ? children : <Broken />;
  }
}

/** Shown in place of a screen with an error. */
export function Broken() {
  const t = useWords("shell");
  return (
    <section class="broken" role="alert">
      <h1>{t("broken_title")}</h1>
      <p>{t("broken")}</p>
      <Button kind="main" onClick={() => location.reload()}>
        {t("load_again")}
      </Button>
    </section>
  );
}
