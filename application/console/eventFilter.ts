/** Filters of an event search, and the part of the log that the caller may read. */

import { formsOf } from '../../domain/channel/phoneForms.js';
import { defined } from '../../domain/defined.js';
import { categoryOf, type EventFilter, type EventStore, type RecordedEvent } from '../../engine/ports/eventStore.js';
import type { SpannedLog } from '../timeSpans.js';

/** Criteria of a search. Empty: all events. */
export interface EventQuestion {
  /** Full name of the stream. */
  readonly stream?: string;
  readonly types?: readonly string[];
  readonly categories?: readonly string[];
  /** `type`, `type:id`, an id, or `operator:account`. */
  readonly actor?: string;
  readonly correlationId?: string;
  readonly workspaceId?: string;
  /** ms since 1970. `to` is exclusive. */
  readonly from?: number;
  readonly to?: number;
}

export type Log = Pick<EventStore, 'readAll' | 'readStream' | 'head'> & Pick<SpannedLog, 'index'>;

/** Returns the part of the filter that the engine can apply. */
export const engineFilter = ({ types, categories }: EventQuestion): EventFilter => defined({ types, categories });

/** Compares ids. A customer's number is equal in each of its notations. */
const isSame = (id: string, requested: string): boolean =>
  id === requested || (id.startsWith('+') && formsOf(id).includes(requested));

function isActor({ meta: { actor, operator } }: RecordedEvent, requested: string): boolean {
  const { type, id = '' } = actor;
  if (requested === type || isSame(id, requested.startsWith(`${type}:`) ? requested.slice(type.length + 1) : requested))
    return true;
  return operator !== undefined && requested === `operator:${operator}`;
}

/** Returns true if an event matches the query. An event without a store is not visible to any store's members. */
export function answers(question: EventQuestion, event: RecordedEvent): boolean {
  const { stream, types, categories, actor, correlationId, workspaceId, from, to } = question;
  const { meta } = event;
  if (workspaceId !== undefined && meta.workspaceId !== workspaceId) return false;
  if (stream !== undefined && event.stream !== stream) return false;
  if (types !== undefined && !types.includes(event.type)) return false;
  if (categories !== undefined && !categories.includes(categoryOf(event.stream))) return false;
  if (actor !== undefined && !isActor(event, actor)) return false;
  if (correlationId !== undefined && meta.correlationId !== correlationId) return false;
  const at = Date.parse(meta.at);
  return (from === undefined || at >= from) && (to === undefined || at < to);
}
