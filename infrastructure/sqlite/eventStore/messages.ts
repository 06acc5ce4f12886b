/** What the thread that owns the store and the thread that writes say to each other. */
import type { MessagePort } from 'node:worker_threads';
import type { Expected } from '../../../application/ports/eventStore.js';

/** One append; `ids`, `types`, `data` and `meta` run in parallel, the latter two as JSON text. */
export interface AppendRequest {
  readonly seq: number;
  readonly stream: string;
  readonly expected: Expected;
  readonly ids: readonly string[];
  readonly types: readonly string[];
  readonly data: readonly string[];
  readonly meta: readonly string[];
  /** Rough size in bytes, for the bounds of queue and group. */
  readonly weight: number;
}

export type ToWriter =
  | { readonly appends: readonly AppendRequest[] }
  | { readonly notices: MessagePort }
  | { readonly close: true };

export type Answer =
  | { readonly seq: number; readonly written: true; readonly revision: number; readonly position: number }
  | { readonly seq: number; readonly written: false; readonly actual: number }
  | { readonly seq: number; readonly failed: string };

/** `head` is the position of the newest event. */
export interface FromWriter {
  readonly head: number;
  readonly answers?: readonly Answer[];
}
