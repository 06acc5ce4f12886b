/**
 * A checksum of each event, written with it and compared whenever it is read: what a disk, a cable or a careless copy has
 * changed is never taken for what was stored. It covers all that readers are shown: also the names that the row has by numbers.
 */

import { crc32 } from 'node:zlib';
import { LogDamaged } from '../../../engine/ports/eventStore.js';
import { FileDamaged } from '../../../engine/ports/fileDamaged.js';

export interface Summed {
  readonly position: number;
  /** Its name. */
  readonly stream: string;
  readonly revision: number;
  /** 32 hexadecimal digits, lower case. */
  readonly id: string;
  /** Its name. */
  readonly type: string;
  readonly data: string | Uint8Array;
  readonly meta: string | Uint8Array;
}

/** A row of events.db as it is read, which has its data and metadata one behind the other: one call less. */
interface SummedRow {
  readonly position: number;
  readonly revision: number;
  readonly id: string;
  readonly format: number;
  readonly created: number | null;
  readonly dataBytes: number;
  readonly metaBytes: number;
  readonly body: Uint8Array;
}

/**
 * CRC-32, signed, so that it takes four bytes: it finds every flipped bit, and all but one in four billion of larger damages.
 * `created`: of foreign events.
 */
export function checksumOf(event: Summed, format: number, created: number | null): number {
  const { position, revision, id, stream, type, data, meta } = event;
  const sizes = `${sizeOf(data)} ${sizeOf(meta)}`;
  const head = `${position} ${revision} ${format} ${created ?? '-'} ${id} ${sizes} ${type} ${stream} `;
  if (typeof data === 'string' && typeof meta === 'string') return crc32(`${head}${data}${meta}`) | 0;
  return onward(meta, onward(data, crc32(head))) | 0;
}

/** The same of a row; `stream` and `type`: its names. */
export function checksumOfRow(row: SummedRow, stream: string, type: string): number {
  const { position, revision, id, format, created, dataBytes, metaBytes } = row;
  const head = `${position} ${revision} ${format} ${created ?? '-'} ${id} ${dataBytes} ${metaBytes} ${type} ${stream} `;
  return onward(row.body, crc32(head)) | 0;
}

const sizeOf = (content: string | Uint8Array): number =>
  typeof content === 'string' ? Buffer.byteLength(content) : content.length;

/** zlib treats an empty buffer as a call to restart. */
const onward = (content: string | Uint8Array, sum: number): number =>
  content.length === 0 ? sum : crc32(content, sum);

/** Throws LogDamaged for an event that is not as it was written. */
export function checkSum(sum: number, event: Summed, format: number, created: number | null): void {
  if (sum !== checksumOf(event, format, created)) throw damagedEvent(event);
}

/** Throws LogDamaged for a row that has a checksum and is not as it was written. */
export function checkRow(row: SummedRow & { readonly sum: number | null }, stream: string, type: string): void {
  if (row.sum !== null && row.sum !== checksumOfRow(row, stream, type))
    throw damagedEvent({ position: row.position, revision: row.revision, stream });
}

const damagedEvent = ({ position, stream, revision }: Pick<Summed, 'position' | 'stream' | 'revision'>): LogDamaged =>
  new LogDamaged(
    `events.db: the event at position ${position} (revision ${revision} of ${stream}) is not as it was written`,
  );

/** Driver messages about a file that is not an SQLite file, or is truncated. */
const BROKEN = /^SQLITE_(?:CORRUPT|NOTADB|IOERR_SHORT_READ)/;
const SAID = /malformed|not a database|disk I\/O error|SQLITE_(?:CORRUPT|NOTADB)/i;

/** Returns the error, or LogDamaged if it reports that the file itself is broken. */
export function asDamage(error: unknown): unknown {
  if (error instanceof LogDamaged) return error;
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  const broken = BROKEN.test(String(code ?? '')) || SAID.test(String(message ?? ''));
  const reason = error instanceof FileDamaged ? error.reason : (message ?? code);
  return broken ? new LogDamaged(`events.db: ${reason}`, { cause: error }) : error;
}
