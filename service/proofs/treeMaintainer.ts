/** Keeps the tree at the log's end while the service runs, and signs a head each minute in which something happened. */

import type { Proofs } from '../../application/proofs/proofs.js';
import { DomainError } from '../../domain/decider.js';
import { messageOf } from '../../engine/messageOf.js';
import type { Clock } from '../../engine/ports/clock.js';
import { BEFORE_ALL, type EventStore, type Position } from '../../engine/ports/eventStore.js';
import type { Log } from '../../engine/ports/log.js';
import type { TreeHost } from './treeHost.js';

/** Between two looks at the log, in ms: what has come is hashed together, which costs less than one by one. */
const LOOK_MS = 5_000;
const SIGN_MS = 60_000;
/** Longest wait for the last head at the end, in ms. */
const END_MS = 2_000;

/** As much of an instance as it needs. */
export interface MaintainerParts {
  readonly settings: { readonly roles: readonly string[] };
  readonly services: { readonly eventStore: Pick<EventStore, 'head'>; readonly clock: Clock };
  readonly tree: Pick<TreeHost, 'advance' | 'index' | 'running'>;
  readonly proofs: Pick<Proofs, 'latest' | 'signAt'>;
}

/** How far the tree and its heads are; times in ms since 1970. */
export interface MaintainerState {
  /** In the tree; 0 before the first look. */
  readonly events: number;
  /** The log's position up to which the tree goes, at least. */
  readonly position: Position;
  /** Time of the last check that reached the log's end; of the start, before the first. */
  readonly checkedAt: number;
  /** Since when the tree has events that no head covers; undefined: all are covered. */
  readonly unsignedSince: number | undefined;
}

export interface TreeMaintainer {
  /** Undefined: another instance keeps the tree. */
  state(): MaintainerState | undefined;
  /** Signs what the tree has, and looks no more. */
  stop(): Promise<void>;
}

const NOBODY: TreeMaintainer = { state: () => undefined, stop: async () => {} };

/**
 * Updates the tree in this instance, in the background. Several instances need no coordination: all of them write the same tiles, and the
 * first to check spares the others the work. The first check is five seconds after the start, to keep the start fast.
 */
export const maintainTree = (parts: MaintainerParts, log: Log): TreeMaintainer =>
  parts.settings.roles.includes('processors') ? maintaining(parts, log) : NOBODY;

function maintaining({ services: { eventStore, clock }, tree, proofs }: MaintainerParts, log: Log): TreeMaintainer {
  let seen = BEFORE_ALL;
  let size = 0;
  let checkedAt = clock.now();
  let unsignedSince: number | undefined;
  let signed: { readonly size: number; readonly at: number } | undefined;
  let reported = '';
  let untold = '';
  let indexing = false;
  let stopped = false;
  let checking: Promise<void> = Promise.resolve();
  let cancel = (): void => {};

  /** Separate from the tree, which it must not delay: for a long log the first run takes minutes. */
  async function index(): Promise<void> {
    if (indexing) return;
    indexing = true;
    try {
      await tree.index();
      untold = '';
    } catch (error) {
      const why = messageOf(error);
      if (why !== untold && !stopped) log.warn({ err: error }, 'history index failed, retrying');
      untold = why;
    } finally {
      indexing = false;
    }
  }

  async function check(): Promise<void> {
    const head = await eventStore.head();
    if (head > seen) {
      void index();
      size = await tree.advance({ gently: true });
      seen = head;
    }
    checkedAt = clock.now();
    if (size === signed?.size || size === 0) return;
    if (signed === undefined) {
      const latest = await proofs.latest();
      signed = { size: latest?.size ?? 0, at: latest === undefined ? 0 : Date.parse(latest.time) };
    }
    if (size <= signed.size) return;
    unsignedSince ??= clock.now();
    if (clock.now() - signed.at >= SIGN_MS) await sign();
  }

  async function sign(): Promise<void> {
    const head = await proofs.signAt(size);
    signed = { size: head.size, at: Date.parse(head.time) };
    unsignedSince = undefined;
  }

  /** Logs each distinct error once, so that a lasting error does not flood the log. */
  function report(error: unknown): void {
    const why = messageOf(error);
    if (why === reported) return;
    reported = why;
    const lasting = error instanceof DomainError;
    log[lasting ? 'error' : 'warn']({ err: error }, 'proof tree update failed, retrying');
  }

  const next = (): void => {
    if (stopped) return;
    cancel = clock.steady.at(clock.steady.now() + LOOK_MS, () => {
      checking = check()
        .then(() => {
          reported = '';
        }, report)
        .finally(next);
    });
  };
  next();

  return {
    state: () => ({ events: size, position: seen, checkedAt, unsignedSince }),
    async stop() {
      stopped = true;
      cancel();
      if (!tree.running || size === 0) return;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, END_MS);
      });
      const last = async (): Promise<void> => {
        await checking;
        size = await tree.advance({ gently: false });
        if (size !== signed?.size) await sign();
      };
      await Promise.race([last().catch(report), late]);
      clearTimeout(timer);
    },
  };
}
