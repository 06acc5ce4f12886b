/** How much one append may hold: what a server counts, where its limit is, and whether an append keeps to it. */
import { PayloadTooLarge } from '../../engine/ports/eventStore.js';
import type { ProposedEvent } from './protocol.js';

/** Up to 23.10 a server counts the data alone; later ones count data, metadata and the name of the type, in UTF-16. */
export type Counted = 'data' | 'all';

export interface AppendLimit {
  /** Bytes of one append, as the server counts them. */
  readonly bytes: number;
  /** Bytes of one event, data, metadata and type; absent where none is known. */
  readonly eventBytes?: number;
  readonly counts: Counted;
  /** True if the server reported its limit; false: the limit is a setting or the installation default. */
  readonly isReported: boolean;
}

/** Default limits of one append: up to 25.0, and from 25.1 on. */
const INSTALLED_BYTES = 1_048_576;
const INSTALLED_BYTES_25_1 = 256 * 1_048_576;
/** One append goes out as one message, of which a server takes 16 MiB: this much is left for the events. */
export const MESSAGE_BYTES = 16_000_000;

/** `version` as the server reports it, such as '23.10.8'. For an unknown version the larger count applies. */
export const countedBy = (version: string): Counted => (/^(?:\d|1\d|2[0-3])\./.test(version) ? 'data' : 'all');

/** Default limit of one append in bytes for this server version. For an unknown version the smallest limit applies. */
export function installedBytes(version: string): number {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 25 || (major === 25 && minor >= 1) ? INSTALLED_BYTES_25_1 : INSTALLED_BYTES;
}

interface Sized {
  readonly type: string;
  readonly data: { readonly length: number };
  readonly meta: { readonly length: number };
}

/** Bytes of data, metadata and the type's name; `data` and `meta` as they are sent. */
export const wholeSize = ({ type, data, meta }: Sized): number => data.length + meta.length + 2 * type.length;

/** Answers the bytes of all events. Throws PayloadTooLarge when the server would. */
export function checkSize(stream: string, events: readonly ProposedEvent[], limit: AppendLimit): number {
  const whole = events.reduce((sum, event) => sum + wholeSize(event), 0);
  const counted = limit.counts === 'all' ? whole : events.reduce((sum, { data }) => sum + data.length, 0);
  const most = Math.min(limit.bytes, MESSAGE_BYTES);
  if (counted > most || whole > MESSAGE_BYTES)
    throw new PayloadTooLarge(
      `an append of ${events.length} events to ${stream} has ${Math.max(counted, whole > MESSAGE_BYTES ? whole : 0)} bytes of ${words(limit.counts)}, EventStoreDB accepts ${most}: append fewer events at once`,
    );
  const large = events.find((event) => wholeSize(event) > (limit.eventBytes ?? Number.POSITIVE_INFINITY));
  if (large !== undefined)
    throw new PayloadTooLarge(
      `the event ${large.id} for ${stream} has ${wholeSize(large)} bytes of ${words('all')}, but EventStoreDB accepts ${limit.eventBytes} per event`,
    );
  return whole;
}

/** For people: what is counted. */
export const words = (counts: Counted): string => (counts === 'all' ? 'data, metadata and types' : 'data');
