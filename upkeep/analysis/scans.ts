/** Parts of the log that a statement reads: DuckDB's own plan shows the filters that it has moved into the scans. */
import type { EventSelection } from './eventFeeder.js';

export interface Scanned extends EventSelection {
  /** True if any scan reads the events' data. */
  readonly withData: boolean;
}

interface PlanNode {
  readonly name?: string;
  readonly children?: readonly PlanNode[];
  readonly extra_info?: Readonly<Record<string, unknown>>;
}

const TYPES = /^type(?:='\w+'(?: OR type='\w+')*| IN \('\w+'(?:, '\w+')*\))$/;
const STORES = /^workspace_id(?:='[\w-]+'(?: OR workspace_id='[\w-]+')*| IN \('[\w-]+'(?:, '[\w-]+')*\))$/;
const TIME = /^time(>=|>|<=|<|=)'([\d: .-]+)'::TIMESTAMP$/;

const quotedIn = (text: string): string[] => [...text.matchAll(/'([\w-]+)'/g)].map(([, value]) => value!);

/** A filter that is not understood filters nothing here: more is read than is needed, and DuckDB filters it. */
function withFilter(requested: EventSelection, text: string): EventSelection {
  if (TYPES.test(text)) return { ...requested, types: quotedIn(text) };
  if (STORES.test(text)) return { ...requested, stores: quotedIn(text) };
  const time = TIME.exec(text);
  const ms = time === null ? Number.NaN : Date.parse(`${time[2]!.trim().replace(' ', 'T')}Z`);
  if (time === null || Number.isNaN(ms)) return requested;
  const [, sign, moment] = time;
  // The plan has microseconds, an event ms: what is in the same one is read too.
  const end = sign === '<' && !/\.\d{4}/.test(moment!) ? ms : ms + 1;
  return {
    ...requested,
    ...(sign!.startsWith('<') ? {} : { from: Math.max(ms, requested.from ?? ms) }),
    ...(sign!.startsWith('>') ? {} : { to: Math.min(end, requested.to ?? end) }),
  };
}

function scanOf({ extra_info = {} }: PlanNode): EventSelection {
  const message = extra_info.Filters ?? [];
  const filters = (Array.isArray(message) ? message : [message]).flatMap((one) => {
    const text = String(one).replace(/^optional: /, '');
    return TYPES.test(text) || STORES.test(text) ? [text] : text.split(' AND ');
  });
  return filters.reduce<EventSelection>(withFilter, {});
}

/** Undefined: no limit, where one of them has none. */
function both<T>(a: T | undefined, b: T | undefined, join: (a: T, b: T) => T): T | undefined {
  return a === undefined || b === undefined ? undefined : join(a, b);
}

const union = (a: readonly string[], b: readonly string[]): readonly string[] => [...new Set([...a, ...b])];

/** All that the scans of `table` need together, of a plan as `EXPLAIN (FORMAT JSON)` answers it. Undefined: none reads it. */
export function scannedBy(plan: string, table: string): Scanned | undefined {
  const scans: PlanNode[] = [];
  const read = (node: PlanNode): void => {
    if (String(node.extra_info?.Table ?? '').endsWith(`.${table}`)) scans.push(node);
    node.children?.forEach(read);
  };
  (JSON.parse(plan) as readonly PlanNode[]).forEach(read);
  if (scans.length === 0) return undefined;
  const requested = scans.map(scanOf).reduce((a, b) => ({
    types: both(a.types, b.types, union),
    stores: both(a.stores, b.stores, union),
    from: both(a.from, b.from, Math.min),
    to: both(a.to, b.to, Math.max),
  }));
  const withData = scans.some(({ extra_info }) => /\bdata\b/.test(JSON.stringify(extra_info)));
  return { ...requested, withData };
}
