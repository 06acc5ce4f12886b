/** Result of a command as text: lines, names with descriptions, tables. */
import { Fragment } from 'preact';
import type { ConsoleShown } from '../../../api/console/contract.js';
import { words } from './format.js';
import { Own } from './parts.js';
import { Table } from './table.js';

type Shown = Exclude<ConsoleShown, readonly ConsoleShown[]>;
export type ShownTable = Extract<Shown, { head: readonly string[] }>;

const partsOf = (shown: ConsoleShown): readonly Shown[] =>
  Array.isArray(shown) ? shown.flatMap(partsOf) : [shown as Shown];

/** Moves the column NAME next to the id, for screens with room for few columns. */
function withNameFirst({ head, rows, none }: ShownTable): ShownTable {
  const at = head.indexOf('NAME');
  if (at < 2) return { head, rows, none };
  const moved = <T,>([id, ...others]: readonly T[]): T[] => [
    id!,
    others[at - 1]!,
    ...others.slice(0, at - 1),
    ...others.slice(at),
  ];
  return { head: moved(head), rows: rows.map(moved), none };
}

/** Returns the first table of a result, and its other texts. */
export function tableIn(shown: ConsoleShown): { readonly table?: ShownTable; readonly texts: readonly string[] } {
  const parts = partsOf(shown);
  const first = parts.find((part): part is ShownTable => typeof part !== 'string' && 'head' in part);
  const table = first && withNameFirst(first);
  const texts = parts.filter((part): part is string => typeof part === 'string');
  return table === undefined ? { texts } : { table, texts };
}

/** `PHONE NUMBER ID` → `Phone number id`. */
export const headWords = (head: string): string => words(head.toLowerCase());

function Part({ part }: { part: Shown }) {
  if (typeof part === 'string')
    return (
      <p class="said">
        <bdi>{part}</bdi>
      </p>
    );
  if ('note' in part)
    return (
      <dl class="facts">
        <dt>{part.lead.trim().replace(/:$/, '')}</dt>
        <dd>
          <Own text={part.note} />
        </dd>
      </dl>
    );
  if (part.rows.length === 0) return <p>{part.none}</p>;
  return (
    <Table label="Result" columns={part.head.map((name) => ({ name: headWords(name) }))}>
      {part.rows.map((row, i) => (
        <tr key={i}>
          {row.map((cell, at) => (
            <td key={part.head[at]}>
              <Own text={String(cell ?? '')} />
            </td>
          ))}
        </tr>
      ))}
    </Table>
  );
}

export const Result = ({ shown }: { shown: ConsoleShown }) => (
  <div class="result">
    {partsOf(shown).map((part, i) => (
      <Fragment key={i}>
        <Part part={part} />
      </Fragment>
    ))}
  </div>
);

/** Shown until it is closed: no later answer has it. */
export function Secrets({
  secrets,
  others,
  away,
}: {
  secrets: readonly (readonly [name: string, value: string])[];
  /** The other values of the answer. */
  others: readonly (readonly [name: string, value: string])[];
  away: () => void;
}) {
  return (
    <div class="note secret" role="status">
      <p>Shown only once. Copy it now.</p>
      <dl class="facts">
        {secrets.map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>
              <code>{value}</code>{' '}
              <button
                type="button"
                class="button small"
                aria-label={`Copy ${name}`}
                onClick={() => void navigator.clipboard.writeText(value).catch(() => undefined)}
              >
                Copy
              </button>
            </dd>
          </Fragment>
        ))}
        {others.map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>
              <Own text={value} />
            </dd>
          </Fragment>
        ))}
      </dl>
      <p class="actions">
        <button type="button" class="button small" onClick={away}>
          I stored it
        </button>
      </p>
    </div>
  );
}
