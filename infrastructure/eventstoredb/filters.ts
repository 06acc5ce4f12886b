/** A filter has two parts: the part that the server applies, and the part that is checked here. */
import { categoryOf, type EventFilter } from '../../engine/ports/eventStore.js';

export interface ServerFilter {
  readonly on: 'stream' | 'type';
  readonly regex: string;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const oneOf = (names: readonly string[]): string => names.map(escaped).join('|');

/** Filter of the server: one expression, over names of streams or over types. System streams begin with '$'. */
export function serverFilter({ categories, types }: EventFilter): ServerFilter {
  if (categories !== undefined && categories.length > 0)
    return { on: 'stream', regex: `^(?:${oneOf(categories)})(?:-|$)` };
  if (types !== undefined && types.length > 0) return { on: 'type', regex: `^(?:${oneOf(types)})$` };
  return { on: 'stream', regex: '^[^$]' };
}

export type Passes = (stream: string, type: string) => boolean;

/** The whole filter, checked here. */
export function localFilter({ categories, types }: EventFilter): Passes {
  const among = categories && new Set(categories);
  const of = types && new Set(types);
  return (stream, type) =>
    !stream.startsWith('$') &&
    (among === undefined || among.has(categoryOf(stream))) &&
    (of === undefined || of.has(type));
}

/** The same filter gives the same text. */
export const keyOf = ({ categories, types }: EventFilter): string =>
  JSON.stringify([categories && [...categories].sort(), types && [...types].sort()]);
