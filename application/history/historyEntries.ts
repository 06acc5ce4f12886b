/** Events for auditors: actors have names, and values that grant access are hidden. */

import type { Actor } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import type { RecordedEvent } from '../../engine/ports/eventStore.js';

/** Names of values that are sealed or derived from a secret. They are hidden from auditors. */
const HIDDEN = /^(?:sealed|hash)$|(?:Sealed|Hash)$/;
const NOT_SHOWN = '[not shown]';

const hiding = (name: string, value: unknown): unknown =>
  HIDDEN.test(name) && typeof value === 'string' ? NOT_SHOWN : value;

/** Returns the value without secrets, such as hashes of tokens. */
export const shownValue = (value: unknown): unknown => JSON.parse(JSON.stringify(value, hiding));

/** All texts of a resealing event are sealed values. */
const hidingAll = (_: string, value: unknown): unknown => (typeof value === 'string' ? NOT_SHOWN : value);

/** Returns an event's data as JSON. */
export const dataText = ({ type, data }: Pick<RecordedEvent, 'type' | 'data'>): string =>
  JSON.stringify(data, type === 'SecretsResealed' ? hidingAll : hiding);

export interface HistoryEntry {
  readonly id: string;
  readonly position: number;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  /** RFC 3339. */
  readonly at: string;
  /** `name`: the member's name, the key's last four characters, the operator's account, or another readable name. */
  readonly actor: Actor & { readonly name: string };
  /** Request, or chain of causes, that the event belongs to. */
  readonly correlationId: string;
  readonly causationId?: string;
  readonly workspaceId?: string;
  readonly data: object;
}

/** Returns an event's entry without its data. */
export function entryHead(event: RecordedEvent, name: string): Omit<HistoryEntry, 'data'> {
  const { id, position, stream, revision, type, meta } = event;
  const { at, actor, correlationId, causationId, workspaceId } = meta;
  return {
    id,
    position,
    stream,
    revision,
    type,
    at,
    actor: { ...actor, name },
    correlationId,
    ...defined({ causationId, workspaceId }),
  };
}

export const historyEntry = (event: RecordedEvent, nameOf: (event: RecordedEvent) => string): HistoryEntry => ({
  ...entryHead(event, nameOf(event)),
  data: JSON.parse(dataText(event)),
});
