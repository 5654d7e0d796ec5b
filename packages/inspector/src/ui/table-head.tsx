import type { JSX } from 'preact';

/** Heads the columns of a table. A column of numbers, or one that only wide windows show, is named together with its class. */
export function TableHead({
  columns,
  isUnseen = false,
}: {
  readonly columns: readonly (string | readonly [name: string, className: string])[];
  /** Whether only screen readers need it. */
  readonly isUnseen?: boolean;
}): JSX.Element {
  return (
    <thead class={isUnseen ? 'unseen' : undefined}>
      <tr>
        {columns.map((column) => {
          const [name, className] = typeof column === 'string' ? [column] : column;
          return (
            <th key={name} scope="col" class={className}>
              {name}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}
