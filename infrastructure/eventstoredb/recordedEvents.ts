/** Events as the wire has them, and as the port shows them. */

import type { EventMeta } from '../../domain/decider.js';
import { isJsonObject } from '../../domain/jsonObject.js';
import type { Position, RecordedEvent } from '../../engine/ports/eventStore.js';
import { isEnginesOwn, type StoredEvent } from '../../engine/ports/storedLog.js';
import type { Passes } from './filters.js';
import { positionOf } from './positions.js';
import type { ReadMessage, WireEvent } from './readMessages.js';

/** .NET counts ticks of 100 ns; here, as on the wire, since 1970. */
const TICKS_PER_MS = 10_000;

export interface Decoded<E = RecordedEvent> {
  readonly position: Position;
  /** Bytes of its data. */
  readonly bytes: number;
  /** Absent where the port does not show the event: left out by the filter, or its data is no JSON object. */
  readonly event?: E;
}

/** Undefined: the message is no event, or a link whose target is gone. Links are not followed. */
export function decoded({ event: wire }: ReadMessage, passes: Passes): Decoded | undefined {
  if (wire === undefined) return undefined;
  const { stream, revision, id, type, dataFrom, dataTo } = wire;
  const position = positionOf(wire.commit, wire.prepare);
  const bytes = dataTo - dataFrom;
  const data = wire.json && passes(stream, type) ? objectIn(wire.bytes, dataFrom, dataTo) : undefined;
  if (data === undefined) return { position, bytes };
  return { position, bytes, event: { stream, revision, position, id, type, data, meta: metaOf(wire) } };
}

/** The event as it is stored, for `StoredLog`. */
export function stored({ event: wire }: ReadMessage): Decoded<StoredEvent> | undefined {
  if (wire === undefined) return undefined;
  const { stream, revision, type, json, dataFrom, dataTo, metaFrom, metaTo } = wire;
  const position = positionOf(wire.commit, wire.prepare);
  const bytes = dataTo - dataFrom + metaTo - metaFrom;
  if (isEnginesOwn(stream, type)) return { position, bytes };
  const event = {
    ...{ position, stream, revision, type, json },
    id: wire.id.replaceAll('-', '').toLowerCase(),
    data: wire.bytes.subarray(dataFrom, dataTo),
    meta: wire.bytes.subarray(metaFrom, metaTo),
    // In ticks it would be more than a number holds.
    recorded: Number(wire.created.slice(0, -1)) || 0,
  };
  return { position, bytes, event };
}

export function objectIn(bytes: Buffer, from: number, to: number): object | undefined {
  if (to - from < 2) return undefined;
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8', from, to));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Foreign events have no metadata of ours: these are derived from the few facts that the server knows. */
export function metaOf(
  { bytes, metaFrom, metaTo, created, id }: WireEvent,
  given = objectIn(bytes, metaFrom, metaTo) as Partial<EventMeta> | undefined,
): EventMeta {
  if (given?.at !== undefined && given.actor !== undefined && given.correlationId !== undefined)
    return given as EventMeta;
  const ms = Number(created) / TICKS_PER_MS;
  return {
    at: new Date(Number.isFinite(ms) ? ms : 0).toISOString(),
    actor: { type: 'system' },
    correlationId: id,
    ...given,
  };
}
