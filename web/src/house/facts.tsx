/** What is known of something, name by name. */

interface Props {
  readonly facts: readonly (readonly [name: string, value: string])[];
}

export function Facts({ facts }: Props) {
  return (
    <dl class="house-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
