/** Events as auditors are shown them: who did it by name, and no value that opens or hides anything. */

import type { Actor } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import type { RecordedEvent } from '../../engine/ports/eventStore.js';

/** Names of values that are sealed, or stand for a secret: they open nothing, and nobody wants to read them. */
const HIDDEN = /^(?:sealed|hash)$|(?:Sealed|Hash)$/;
const NOT_SHOWN = '[not shown]';

const hiding = (name: string, value: unknown): unknown =>
  HIDDEN.test(name) && typeof value === 'string' ? NOT_SHOWN : value;

/** Without values that open something, such as hashes of tokens. */
export const shownValue = (value: unknown): unknown => JSON.parse(JSON.stringify(value, hiding));

/** What was sealed anew is sealed values alone. */
const hidingAll = (_: string, value: unknown): unknown => (typeof value === 'string' ? NOT_SHOWN : value);

/** An event's data as JSON. */
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
  /** `name`: the member's, the key's last four characters, the operator's account, or what else people know it by. */
  readonly actor: Actor & { readonly name: string };
  /** The request, or the chain of causes, that it belongs to. */
  readonly correlationId: string;
  readonly causationId?: string;
  readonly workspaceId?: string;
  readonly data: object;
}

/** What is said of an event, without its data. */
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
