/** Reseals stored secrets under the current master key, a part of the log at a time. */
import { defined } from '../../domain/defined.js';
import type { Resealed } from '../../domain/secrets/resealing.js';
import type { BoundCommands } from '../../engine/commandHandler/boundCommands.js';
import { categoryOf, type EventStore, type Position, type RecordedEvent } from '../../engine/ports/eventStore.js';
import { KeyUnreadable } from '../../engine/sealing/vaultErrors.js';
import type { SealingKeys } from '../ports/sealingKeys.js';
import type { SecretBox } from '../ports/secretBox.js';
import { type SealedSecret, type SecretHolder, secretHolders } from './sealedSecrets.js';

export interface RotatingParts {
  /** The stored log. Personal data are not unsealed, so that it can be read even if other keys are missing. */
  readonly log: Pick<EventStore, 'readAll' | 'head'>;
  readonly secretBox: SecretBox;
  readonly keys: SealingKeys;
  /** Returns commands whose events are about this store or partner. */
  commands(about: { workspaceId?: string; partnerId?: string }): BoundCommands;
}

export interface RotatedPart {
  /** Position up to which everything was scanned. */
  readonly through: Position;
  readonly end: boolean;
  readonly head: Position;
  /** Number of resealed secrets. */
  readonly resealed: number;
  /** Streams with a secret that no key opens, such as `webhookEndpoint-…`. */
  readonly unreadable: readonly string[];
}

const PAGE = 200;
/** Maximum time of one part, in ms, so that callers see progress, and no request waits for the whole. */
const PART_MS = 1_000;

const CATEGORIES = new Map(secretHolders.map((holder) => [holder.category, holder]));
const FILTER = {
  categories: [...CATEGORIES.keys()],
  types: [...new Set(secretHolders.flatMap(({ types }) => types))],
};

/** Returns the secret sealed under the current key. Undefined: no key opens it. */
function resealed({ secretBox }: RotatingParts, { sealed, context }: SealedSecret): Resealed | undefined {
  try {
    return { context, before: sealed, after: secretBox.seal(secretBox.open(sealed, context), context) };
  } catch {
    return undefined;
  }
}

/** Undefined: the stream itself cannot be read, since no master key opens the key of a person in it. */
async function secretsOf(holder: SecretHolder, commands: BoundCommands, id: string) {
  try {
    return await holder.secretsOf(commands, id);
  } catch (error) {
    if (error instanceof KeyUnreadable) return undefined;
    throw error;
  }
}

async function rotateStream(
  parts: RotatingParts,
  holder: SecretHolder,
  { stream, meta: { workspaceId, partnerId } }: RecordedEvent,
): Promise<{ resealed: number; unreadable: boolean }> {
  const id = stream.slice(stream.indexOf('-') + 1);
  const commands = parts.commands(defined({ workspaceId, partnerId }));
  const stored = await secretsOf(holder, commands, id);
  if (stored === undefined) return { resealed: 0, unreadable: true };
  const stale = stored.filter(({ sealed }) => !parts.keys.isCurrent(sealed));
  const opened = stale.map((one) => resealed(parts, one));
  const reopened = opened.filter((one) => one !== undefined);
  if (reopened.length > 0) await holder.reseal(commands, id, reopened);
  return { resealed: reopened.length, unreadable: reopened.length < stale.length };
}

/**
 * Scans the log after (exclusive) `after`, for about a second, for streams with secrets. Secrets sealed under the current key are
 * unchanged, so it may be stopped at any time and restarted. Uses the process's own clock.
 */
export async function rotateSecrets(parts: RotatingParts, after: Position): Promise<RotatedPart> {
  const until = performance.now() + PART_MS;
  const seen = new Set<string>();
  const unreadable = new Set<string>();
  let resealed = 0;
  let through = after;
  let end = false;
  while (!end && performance.now() < until) {
    const page = await parts.log.readAll(through, { filter: FILTER, limit: PAGE });
    for (const event of page.events) {
      const holder = CATEGORIES.get(categoryOf(event.stream));
      if (holder === undefined || seen.has(event.stream)) continue;
      seen.add(event.stream);
      const done = await rotateStream(parts, holder, event);
      resealed += done.resealed;
      if (done.unreadable) unreadable.add(event.stream);
    }
    ({ through, end } = page);
  }
  return { through, end, head: await parts.log.head(), resealed: resealed, unreadable: [...unreadable] };
}
