/** A list of the operator's as a virtual table. */
import type { ConsoleStoreBody } from '../../../api/console/contract.js';
import { ListHead } from '../ui/paged.js';
import { Chip, Own } from '../ui/parts.js';
import { headWords, type ShownTable } from '../ui/result.js';
import { hrefOf, usePlace } from '../ui/router.js';
import { Virtual } from '../ui/virtual.js';
import type { RowBody } from './rowBody.js';

const ROW_PX = 42;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export interface Found {
  readonly id: string;
  readonly cells: readonly string[];
  readonly body: RowBody;
}

/** Rows of the table with their bodies. */
export const rowsIn = (table: ShownTable, bodies: readonly RowBody[]): readonly Found[] =>
  table.rows.map((row, i) => {
    const cells = row.map((cell) => String(cell ?? ''));
    return { id: cells[0]!, cells, body: bodies[i] ?? {} };
  });

/** Those in which all of the words are found. */
export function matching(rows: readonly Found[], search: string): readonly Found[] {
  const requested = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (requested.length === 0) return rows;
  return rows.filter(({ cells }) => {
    const text = cells.join(' ').toLowerCase();
    return requested.every((word) => text.includes(word));
  });
}

/** Ids are short, and owners have their names. */
function shownCell(cell: string, head: string, { ownerName }: RowBody, stores: TableProps['stores']): string {
  if (head === 'OWNER' && typeof ownerName === 'string') return ownerName;
  const named = /^workspace (\S+)$/.exec(cell)?.[1];
  const store = named && stores.find(({ workspaceId }) => workspaceId === named)?.name;
  return store ? store : UUID.test(cell) ? `${cell.slice(0, 8)}…` : cell;
}

interface TableProps {
  readonly table: ShownTable;
  readonly rows: readonly Found[];
  readonly label: string;
  readonly chosen: string | undefined;
  readonly stores: readonly ConsoleStoreBody[];
  /** Called with the last row in view. */
  reach(last: number): void;
}

export function Rows({ table, rows, label, chosen, stores, reach }: TableProps) {
  const { query } = usePlace();
  const area = label.toLowerCase();
  const cells = `admin-cells of-${Math.min(8, table.head.length)}`;
  const hrefFor = (id: string): string =>
    hrefOf(`/admin/${area}`, { ...Object.fromEntries(query), row: id, do: undefined });
  return (
    <Virtual
      count={rows.length}
      height={ROW_PX}
      label={label}
      onReach={reach}
      head={<ListHead cells={cells} names={table.head.map(headWords)} />}
      row={(i) => {
        const { id, cells: texts, body } = rows[i]!;
        return (
          <div
            key={id}
            class={`row cells ${cells} ${id === chosen ? 'here' : ''}`}
            role="row"
            aria-rowindex={i + 1}
            style={{ height: `${ROW_PX}px` }}
          >
            {texts.map((text, at) => (
              <span role="cell" key={table.head[at]} title={text} class={at === 0 ? 'id' : ''}>
                {at === 0 ? (
                  <a class="whole" href={hrefFor(id)} aria-current={id === chosen ? 'true' : undefined}>
                    {shownCell(text, table.head[at]!, body, stores)}
                  </a>
                ) : table.head[at] === 'STATUS' && text !== '' ? (
                  <Chip value={text} label={text} />
                ) : (
                  <Own text={shownCell(text, table.head[at]!, body, stores)} />
                )}
              </span>
            ))}
          </div>
        );
      }}
    />
  );
}
