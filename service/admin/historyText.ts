/** Histories as a person reads them on a terminal. */
import { differences } from '../../application/history/differences.js';
import type { HistoryEntry } from '../../application/history/historyEntries.js';
import { renderOrderHistory } from '../../application/orders/renderOrderHistory.js';
import type { HistoryDiff, HistoryResult } from './historyResult.js';
import { facts, type Shown, table } from './text.js';

const SUMMARY = 140;

const shortened = (text: string): string => (text.length <= SUMMARY ? text : `${text.slice(0, SUMMARY - 1)}…`);
const valueText = (value: unknown): string =>
  value === undefined ? '' : shortened(typeof value === 'string' ? value : JSON.stringify(value));

const rowOf = ({ at, actor, type, correlationId, data }: HistoryEntry): readonly string[] => [
  at,
  actor.name,
  type,
  shortened(JSON.stringify(data).slice(1, -1)),
  correlationId,
];

const eventsTable = (events: readonly HistoryEntry[]): Shown =>
  table(['WHEN', 'WHO', 'WHAT', 'WITH', 'REQUEST'], events.map(rowOf), 'No events match.');

const more = (next: string | undefined): readonly Shown[] =>
  next === undefined ? [] : [`\nMore events may follow. Continue with --after ${next}`];

/** A state, a line a value. */
function stateLines(state: object | undefined): readonly Shown[] {
  if (state === undefined) return [];
  const values = differences({}, state).flatMap(({ path, is }) => differences(Array.isArray(is) ? [] : {}, is, path));
  return facts(Object.fromEntries(values.map(({ path, is }) => [path, valueText(is)])));
}

type Rendered = Parameters<typeof renderOrderHistory>[0];

export function historyText(result: HistoryResult): Shown {
  const { kind, id, state, events, next } = result;
  if (kind === 'order' && state !== undefined)
    return [renderOrderHistory({ orderId: id, order: state, events } as unknown as Rendered), ...more(next)];
  return [
    `${kind[0]!.toUpperCase()}${kind.slice(1)} ${id}`,
    ...stateLines(state),
    '',
    eventsTable(events),
    ...more(next),
  ];
}

export const requestText = ({ events, next }: Pick<HistoryResult, 'events' | 'next'>): Shown => [
  eventsTable(events),
  ...more(next),
];

export const diffText = ({ kind, id, from, to, changes }: HistoryDiff): Shown => [
  `${kind[0]!.toUpperCase()}${kind.slice(1)} ${id}, at ${from} and at ${to}`,
  '',
  table(
    ['WHAT', 'WAS', 'IS'],
    changes.map(({ path, was, is }) => [path === '' ? '(everything)' : path, valueText(was), valueText(is)]),
    'No differences.',
  ),
];
