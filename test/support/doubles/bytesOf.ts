import type { Readable } from 'node:stream';

/** All that comes. Rejects with what ends it before. */
export const bytesOf = async (stream: Readable): Promise<Buffer> => Buffer.concat(await stream.toArray());
