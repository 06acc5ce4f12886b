/** Events as the wire has them, and as the port shows them. */
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { EventMeta } from '../../domain/decider.js';
import type { Position, RecordedEvent } from '../../engine/ports/eventStore.js';
import type { Passes } from './filters.js';
import { positionOf } from './positions.js';

type WireEvent = ReadResp.ReadEvent.RecordedEvent;

/** .NET counts ticks of 100 ns; here, as on the wire, since 1970. */
const TICKS_PER_MS = 10_000;

export interface Decoded {
  readonly position: Position;
  /** Bytes of its data. */
  readonly bytes: number;
  /** Absent where the port does not show the event: left out by the filter, or its data is no JSON object. */
  readonly event?: RecordedEvent;
}

/** Undefined: the message is no event, or a link whose target is gone. Links are not followed. */
export function decoded(message: ReadResp, passes: Passes): Decoded | undefined {
  const wire = message.getEvent()?.getEvent();
  if (wire === undefined) return undefined;
  const position = positionOf(wire.getCommitPosition(), wire.getPreparePosition());
  const bytes = wire.getData_asU8();
  const system = wire.getMetadataMap();
  const stream = text(wire.getStreamIdentifier()!.getStreamName_asU8());
  const type = system.get('type') ?? '';
  const shown = passes(stream, type) && system.get('content-type') === 'application/json';
  const data = shown ? objectIn(bytes) : undefined;
  if (data === undefined) return { position, bytes: bytes.length };
  const event = {
    stream,
    revision: Number(wire.getStreamRevision()),
    position,
    id: wire.getId()!.getString(),
    type,
    data,
    meta: metaOf(wire, system.get('created')),
  };
  return { position, bytes: bytes.length, event };
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();

function objectIn(bytes: Uint8Array): object | undefined {
  if (bytes.length < 2) return undefined;
  try {
    const value: unknown = JSON.parse(text(bytes));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What others have written has no metadata of ours: then the little that the server knows stands there. */
function metaOf(wire: WireEvent, created: string | undefined): EventMeta {
  const given = objectIn(wire.getCustomMetadata_asU8()) as Partial<EventMeta> | undefined;
  if (given?.at !== undefined && given.actor !== undefined && given.correlationId !== undefined)
    return given as EventMeta;
  const ms = Number(created ?? 0) / TICKS_PER_MS;
  return {
    at: new Date(Number.isFinite(ms) ? ms : 0).toISOString(),
    actor: { type: 'system' },
    correlationId: wire.getId()!.getString(),
    ...given,
  };
}
