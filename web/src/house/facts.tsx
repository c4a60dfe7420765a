/** A list of facts: a name and a value each, some with an explanation. */

import type { ComponentChildren } from "preact";

export type Fact = readonly [name: string, value: string, about?: string];

interface Props {
  readonly facts: readonly Fact[];
  /** Further facts, whose values are more than text. */
  readonly children?: ComponentChildren;
}

export function Facts({ facts, children }: Props) {
  return (
    <dl class="house-facts">
      {facts.map(([name, value, about]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value}
            {about !== undefined && <span class="house-about">{about}</span>}
          </dd>
        </div>
      ))}
      {children}
    </dl>
  );
}
