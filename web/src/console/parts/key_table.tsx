/** Keys, each with what it does. */

import type { ComponentChildren } from "preact";

export function KeyTable({ lines }: { readonly lines: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <table class="console-table">
      <tbody>
        {lines.map(([key, what]) => (
          <tr key={key}>
            <th scope="row">
              <kbd>{key}</kbd>
            </th>
            <td>{what}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
