/** What is known of something, name by name, each with a word on it where there is one. */

import type { ComponentChildren } from "preact";

export type Fact = readonly [name: string, value: string, about?: string];

interface Props {
  readonly facts: readonly Fact[];
  /** Others, of more than a text. */
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
