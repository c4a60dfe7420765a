import type { ComponentChildren } from "preact";

import { Button } from "../shell/index.ts";
import { capital } from "../words/capital.ts";
import { said } from "../words/said.ts";
import { useWords } from "../words/words.ts";
import type { Loaded } from "./loading.ts";

interface WaitingProps<T> {
  readonly of: Loaded<T>;
  /** Words for what the server is doing; reading a journal may take a while. */
  readonly meanwhile?: string;
  readonly children: (value: T) => ComponentChildren;
}

/** Shows the loaded value, or that it is loading, or why there is none. */
export function Waiting<T>({ of, meanwhile, children }: WaitingProps<T>) {
  const t = useWords("audit");
  if (of.value !== null) return <>{children(of.value)}</>;
  if (of.fault !== null) {
    return (
      <div class="audit-fault" role="alert">
        <p>✕ {capital(said(of.fault))}</p>
        <Button onClick={of.again}>{t("again")}</Button>
      </div>
    );
  }
  return (
    <p class="audit-wait" role="status">
      {meanwhile ?? t("loading")}
    </p>
  );
}
