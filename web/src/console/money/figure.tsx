import type { ComponentChildren } from "preact";

/** A figure under its name, in a list of them. */
export function Figure({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div class="money-figure">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
