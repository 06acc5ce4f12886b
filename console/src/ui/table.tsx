/** A table that scrolls sideways where the screen is narrow. */
import type { ComponentChildren } from 'preact';

export interface Column {
  readonly name: string;
  /** Aligns a column of numbers. */
  readonly num?: true;
  /** Hides the name of a column of buttons, except from screen readers. */
  readonly unseen?: true;
}

export interface TableProps {
  readonly label: string;
  readonly columns: readonly Column[];
  /** It scrolls downwards too. */
  readonly long?: boolean;
  /** Rows. */
  readonly children: ComponentChildren;
}

export const Table = ({ label, columns, long = false, children }: TableProps) => (
  <div class={long ? 'scroll long' : 'scroll'} tabIndex={0} role="region" aria-label={label}>
    <table class="wide">
      <thead>
        <tr>
          {columns.map(({ name, num, unseen }) => (
            <th scope="col" key={name} class={num && 'num'}>
              {unseen ? <span class="unseen">{name}</span> : name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);
