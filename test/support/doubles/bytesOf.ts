import type { Readable } from 'node:stream';

/** Reads a stream to its end. Rejects if the stream fails. */
export const bytesOf = async (stream: Readable): Promise<Buffer> => Buffer.concat(await stream.toArray());
