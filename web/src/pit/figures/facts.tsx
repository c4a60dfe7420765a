/** Facts by name, in a list of them. */

interface FactsProps {
  readonly class: string;
  readonly facts: readonly (readonly [name: string, figure: string])[];
}

export function Facts({ class: className, facts }: FactsProps) {
  return (
    <dl class={className}>
      {facts.map(([name, figure]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
  );
}
