import type { ComponentChildren } from "preact";

/** An entry of a list of figures: a name and its figure. */
export function Figure({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div class="money-figure">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
