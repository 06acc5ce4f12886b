/**
 * Files in a bucket of S3, or of a compatible store. Large files are uploaded in parts of 5 MB, two at a time, so that no file is ever in
 * memory as a whole. Credentials come from the SDK's usual environment (AWS_ACCESS_KEY_ID and so on).
 */

import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { FileStore, StoredFile } from '../../application/ports/fileStore.js';
import { defined } from '../../domain/defined.js';
import { StorageFull } from '../../engine/ports/eventStore.js';
import { checkedName } from './fileNames.js';
import { abandon, hashed, measured } from './measuredFile.js';

export interface S3FilesOptions {
  readonly bucket: string;
  /** Before every name, without a slash at its end; empty: none. */
  readonly prefix: string;
  readonly region: string;
  /** Address of a store other than Amazon's, such as https://minio.example.com. */
  readonly endpoint?: string;
  /** The bucket in the path instead of the host name. */
  readonly pathStyle?: boolean;
  /** In place of the environment's; for tests. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** Longest wait for a connection, for an answer to one request, and without a byte of an answer; ms. */
  readonly timeouts?: { readonly connect: number; readonly request: number; readonly idle: number };
  /** Size of one part of a large file, of which there can be 10,000. Default: 5 MB. */
  readonly partBytes?: number;
  /** For all requests of a check together, in ms. */
  readonly checkMs?: number;
}

const PART_BYTES = 5 * 1024 * 1024;
const PARTS_AT_ONCE = 2;
const TIMEOUTS = { connect: 5_000, request: 30_000, idle: 30_000 };
const CHECK_MS = 2_000;
const TRIES = 3;
const SOCKETS = 128;

function clientConfig(options: S3FilesOptions): S3ClientConfig {
  const { region, endpoint, pathStyle = false, credentials, timeouts = TIMEOUTS } = options;
  return {
    region,
    ...defined({ endpoint, credentials }),
    forcePathStyle: pathStyle,
    maxAttempts: TRIES,
    // Checksums that a store may not know; what is read is compared by its sha256 where that matters.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: timeouts.connect,
      requestTimeout: timeouts.request,
      throwOnRequestTimeout: true,
      socketTimeout: timeouts.idle,
      httpsAgent: { maxSockets: SOCKETS },
      httpAgent: { maxSockets: SOCKETS },
    },
  };
}

/** As stores call it that have no room, or none left of what the bucket may have. */
const NO_ROOM = /^(?:XMinioStorageFull|XMinioAdminBucketQuotaExceeded|InsufficientStorage|QuotaExceeded)/;
const INSUFFICIENT_STORAGE = 507;

const hasNoRoom = (error: unknown): boolean =>
  statusOf(error) === INSUFFICIENT_STORAGE || NO_ROOM.test(error instanceof Error ? error.name : '');

const statusOf = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;

/** The size of the whole from `bytes 0-99/1234`. */
const wholeSize = (contentRange: string | undefined): number | undefined => {
  const found = /\/(\d+)$/.exec(contentRange ?? '')?.[1];
  return found === undefined ? undefined : Number(found);
};

/** Sends no request before one is needed: see `check`. */
export function openS3Files(options: S3FilesOptions): FileStore {
  const client = new S3Client(clientConfig(options));
  const { bucket: Bucket, prefix } = options;
  const keyOf = (name: string): string => (prefix === '' ? checkedName(name) : `${prefix}/${checkedName(name)}`);

  async function isThere(Key: string): Promise<boolean> {
    try {
      await client.send(new HeadObjectCommand({ Bucket, Key }));
      return true;
    } catch (error) {
      if (statusOf(error) === 404) return false;
      throw error;
    }
  }

  async function open(Key: string, Range?: string): Promise<{ size: number; content: Readable } | undefined> {
    try {
      const {
        Body,
        ContentLength = 0,
        ContentRange,
      } = await client.send(new GetObjectCommand({ Bucket, Key, ...defined({ Range }) }));
      return { size: wholeSize(ContentRange) ?? ContentLength, content: Body as Readable };
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw error;
    }
  }

  const stored = async (Key: string): Promise<StoredFile | undefined> => {
    const found = await open(Key);
    return found === undefined ? undefined : hashed(found.content);
  };

  return {
    async put(name, content, { mimeType, ...limits }) {
      const Key = keyOf(name);
      const before = (await isThere(Key)) ? await stored(Key) : undefined;
      if (before !== undefined) {
        abandon(content[Symbol.asyncIterator]());
        return before;
      }
      const { bytes, result } = measured(content, limits);
      // Not aborted by the SDK's own way, which leaves requests going: `bytes` throws, and parts are taken back.
      const upload = new Upload({
        client,
        params: {
          Bucket,
          Key,
          Body: Readable.from(bytes, { objectMode: false, highWaterMark: 64 * 1024 }),
          IfNoneMatch: '*',
          ...defined({ ContentType: mimeType }),
        },
        partSize: options.partBytes ?? PART_BYTES,
        queueSize: PARTS_AT_ONCE,
        leavePartsOnError: false,
      });
      try {
        await upload.done();
        return result();
      } catch (error) {
        const taken = statusOf(error) === 412 ? await stored(Key) : undefined;
        if (taken !== undefined) return taken;
        throw hasNoRoom(error) ? new StorageFull('the file store bucket is full', { cause: error }) : error;
      }
    },

    async read(name, range) {
      return open(keyOf(name), range && `bytes=${range.start}-${range.end}`);
    },

    async remove(name) {
      await client.send(new DeleteObjectCommand({ Bucket, Key: keyOf(name) }));
    },

    async check() {
      try {
        const abortSignal = AbortSignal.timeout(options.checkMs ?? CHECK_MS);
        await client.send(new HeadBucketCommand({ Bucket }), { abortSignal });
        return undefined;
      } catch (error) {
        // Its message may hold what was sent.
        return `the file store bucket is unavailable (${statusOf(error) ?? (error as Error).name})`;
      }
    },

    async close() {
      client.destroy();
    },
  };
}
