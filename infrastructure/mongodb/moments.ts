import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { Binary, type ClientSession, type ClusterTime, Long, Timestamp } from 'mongodb';

/** Forgotten when a server has not reached it for so long: its data was put back to an earlier moment. */
const UNREACHED_MS = 30_000;
/** Length of a signature: an HMAC by SHA-1. */
const HASH = 20;
/** Reads of the signed time while another thread writes it. */
const TRIES = 3;

/** How far the operations of a replica set are known to have come, by the server's own logical time. */
export interface Moments {
  /** The newest one; undefined before any, and from servers that keep none. */
  newest(): Timestamp | undefined;
  /** Makes the session read at least at this moment, with the cluster time's signature if it is known. */
  advance(session: ClientSession | undefined, to: Timestamp): void;
  /** `signed`: the time of the cluster that came with it. */
  note(moment: Timestamp | null | undefined, signed?: ClusterTime): void;
  /** A server reported that it has not reached the moment. */
  unreached(): void;
}

/**
 * The newest moment that any thread of this process has read or written at. Threads share it: a write of one thread is required in the
 * reads of the others, so none of them is answered by a member of the set that lacks it.
 */
export function momentsOf(server: string, now: () => number = () => performance.now()): Moments {
  const key = `suuq mongodb ${server}`;
  const stored = getEnvironmentData(key) as unknown;
  const shared = stored instanceof SharedArrayBuffer ? stored : new SharedArrayBuffer(8 + SIGNED_BYTES);
  if (shared !== stored) setEnvironmentData(key, shared as never);
  const cell = new BigUint64Array(shared, 0, 1);
  const signed = new SignedTime(shared, 8);
  let unreachedSince: number | undefined;
  return {
    newest() {
      const newest = Atomics.load(cell, 0);
      return newest === 0n ? undefined : new Timestamp(newest);
    },
    advance(session, to) {
      if (session === undefined) return;
      session.advanceOperationTime(to);
      const known = signed.read();
      if (known !== undefined) session.advanceClusterTime(known);
    },
    note(moment, time) {
      if (moment === null || moment === undefined) return;
      unreachedSince = undefined;
      const noted = moment.toBigInt();
      if (time !== undefined) signed.write(time);
      for (;;) {
        const before = Atomics.load(cell, 0);
        if (before >= noted || Atomics.compareExchange(cell, 0, before, noted) === before) return;
      }
    },
    unreached() {
      unreachedSince ??= now();
      if (now() - unreachedSince < UNREACHED_MS) return;
      Atomics.store(cell, 0, 0n);
      signed.clear();
    },
  };
}

/** A version, the time, the key's id and the signature. */
const SIGNED_BYTES = 8 + 8 + 8 + 24;

/**
 * The newest time of the cluster with its signature. A router of a sharded cluster that has not heard of a moment refuses to
 * read at it, unless the time that comes with the request vouches for it. The version is odd while a thread writes: others
 * go without then, and a thread that ended in the middle leaves it odd, which costs nothing but that word.
 */
class SignedTime {
  readonly #version: Int32Array;
  readonly #numbers: BigInt64Array;
  readonly #hash: Uint8Array;

  constructor(shared: SharedArrayBuffer, at: number) {
    this.#version = new Int32Array(shared, at, 1);
    this.#numbers = new BigInt64Array(shared, at + 8, 2);
    this.#hash = new Uint8Array(shared, at + 24, HASH);
  }

  read(): ClusterTime | undefined {
    for (let tries = 0; tries < TRIES; tries++) {
      const version = Atomics.load(this.#version, 0);
      const time = this.#numbers[0]!;
      const keyId = this.#numbers[1]!;
      const hash = new Binary(Uint8Array.from(this.#hash));
      if (version % 2 !== 0 || Atomics.load(this.#version, 0) !== version) continue;
      if (time === 0n) return undefined;
      return {
        clusterTime: new Timestamp(BigInt.asUintN(64, time)),
        signature: { hash, keyId: Long.fromBigInt(keyId) },
      };
    }
    return undefined;
  }

  write({ clusterTime, signature }: ClusterTime): void {
    const hash = signature?.hash.buffer;
    if (hash?.length !== HASH) return;
    const time = BigInt.asIntN(64, clusterTime.toBigInt());
    this.#exclusively(() => {
      if (BigInt.asUintN(64, this.#numbers[0]!) >= clusterTime.toBigInt()) return;
      this.#numbers[0] = time;
      this.#numbers[1] = BigInt(String(signature!.keyId));
      this.#hash.set(hash);
    });
  }

  clear(): void {
    this.#exclusively(() => this.#numbers.fill(0n));
  }

  #exclusively(change: () => void): void {
    const version = Atomics.load(this.#version, 0);
    if (version % 2 !== 0 || Atomics.compareExchange(this.#version, 0, version, version + 1) !== version) return;
    change();
    Atomics.store(this.#version, 0, version + 2);
  }
}
