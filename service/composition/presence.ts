/** Presence of instances that share their engines, in the work collections, for status commands. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../engine/ports/clock.js';
import type { CollectionDefinition, DocumentStore } from '../../engine/ports/documents.js';
import type { Log } from '../../engine/ports/log.js';
import type { ProcessorStatus } from '../../engine/processors/processor.js';

export interface RunningProcessor extends Pick<ProcessorStatus, 'name' | 'effectsPerSecond'> {
  /** A store's error that it waits for: it goes on by itself when that has passed. `since`: ms since 1970. */
  readonly trouble?: { readonly error: string; readonly since: number };
}

/** Facts about an instance. */
export interface InstanceFacts {
  readonly name: string;
  /** Version of its release. */
  readonly version: string;
  /** ms since 1970. */
  readonly startedAt: number;
  readonly roles: readonly string[];
  /** Its listen address, without the proxies in front. */
  readonly address: string;
  /** The processors that run there, each with what it performed lately. */
  readonly processors?: readonly RunningProcessor[];
}

export const presence: CollectionDefinition = {
  name: 'instances',
  keys: { expiresAt: 'number' },
  indexes: [{ keys: ['expiresAt'] }],
  expiresAt: 'expiresAt',
};

/** Interval of presence writes, and their validity, in ms. */
const TELL_MS = 10_000;
const BELIEVED_MS = 3 * TELL_MS;
/** Clocks of several instances differ by less. */
const CLOCK_SKEW_MS = 60_000;
const MOST = 200;

type Work = Pick<DocumentStore, 'open' | 'list' | 'write' | 'find'>;

/**
 * Writes the result of `facts` regularly until the returned function is called, which removes it. Failures are retried: nobody waits for
 * this, and nothing depends on it.
 */
export function announcePresence(
  work: Work,
  clock: Clock,
  facts: () => InstanceFacts,
  log: Pick<Log, 'warn'>,
): () => Promise<void> {
  const id = randomUUID();
  let revision = 0;
  let stopped = false;
  let cancel = (): void => {};
  let opened: Promise<void> | undefined;
  const publish = async (): Promise<void> => {
    try {
      opened ??= work.open(presence);
      await opened;
      const expiresAt = clock.now() + BELIEVED_MS;
      const put = [{ id, keys: { expiresAt }, revision: ++revision, body: facts() }];
      if (!stopped) await work.write({ [presence.name]: { put } });
    } catch (error) {
      opened = undefined;
      if (revision <= 1) log.warn({ err: error }, 'instance presence write failed, retrying');
    }
    if (!stopped) cancel = clock.steady.at(clock.steady.now() + TELL_MS, again);
  };
  const again = (): void => {
    publishing = publish();
  };
  let publishing = publish();
  return async () => {
    stopped = true;
    cancel();
    await publishing;
    await work.write({ [presence.name]: { remove: [{ id, revision: revision + 1 }] } }).catch(() => {});
  };
}

/** Facts about a processor that runs here. */
export const runningProcessor = ({
  name,
  effectsPerSecond,
  waitingSince: since,
  lastTrouble = 'store unavailable',
}: ProcessorStatus): RunningProcessor => ({
  ...{ name, effectsPerSecond },
  ...(since !== undefined && { trouble: { error: lastTrouble, since } }),
});

/** Instances with recent presence writes, ordered by name. Changes nothing. */
export async function presentNow(work: Pick<Work, 'list' | 'find'>, clock: Clock): Promise<readonly InstanceFacts[]> {
  if (!(await work.list()).includes(presence.name)) return [];
  const found = await work.find<InstanceFacts>(presence.name, {
    // What lies further ahead was written by a clock that was set back since.
    where: { expiresAt: { gt: clock.now(), lte: clock.now() + BELIEVED_MS + CLOCK_SKEW_MS } },
    sort: ['expiresAt'],
    limit: MOST,
  });
  const byName = new Map<string, InstanceFacts>();
  // An instance that was killed and restarted has two entries for a while.
  for (const { body } of found)
    if (body.startedAt >= (byName.get(body.name)?.startedAt ?? 0)) byName.set(body.name, body);
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
