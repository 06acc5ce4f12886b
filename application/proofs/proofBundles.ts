/** Proof bundle for an auditor: events as stored, each with its proof, the signed head and its key. */
import type { ProvenEvent } from '../../engine/proofs/logTree.js';
import type { SignedHead } from '../../engine/proofs/treeHead.js';

/** Format of the bundle. A verifier refuses unknown ones. */
export const BUNDLE = 'suuq-proof-1';
export const CONSISTENCY = 'suuq-consistency-1';

export interface BundledEvent {
  /** Index of its leaf, from 0. */
  readonly index: number;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  /** 32 hexadecimal digits. */
  readonly id: string;
  /** Microseconds since 1970. */
  readonly time: number;
  readonly json: boolean;
  /** Stored bytes, in base64. */
  readonly data: string;
  readonly metadata: string;
  /** Hashes from the leaf to the root, in hexadecimal digits. */
  readonly path: readonly string[];
}

interface Key {
  readonly keyId: string;
  readonly publicKey: string;
}

export interface ProofBundle {
  readonly format: typeof BUNDLE;
  readonly stream: string;
  readonly head: SignedHead;
  readonly keys: readonly Key[];
  readonly events: readonly BundledEvent[];
}

/** Proof that the log of `to` starts with the log of `from`. */
export interface ConsistencyBundle {
  readonly format: typeof CONSISTENCY;
  readonly from: SignedHead;
  readonly to: SignedHead;
  readonly keys: readonly Key[];
  readonly path: readonly string[];
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

export const bundledEvent = ({ event, time, index, path }: ProvenEvent): BundledEvent => ({
  index,
  stream: event.stream,
  revision: event.revision,
  type: event.type,
  id: event.id,
  time,
  json: event.json,
  data: base64(event.data),
  metadata: base64(event.meta),
  path,
});
