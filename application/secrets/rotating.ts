/** Seals what is stored anew under the master key that seals now, a part of the log at a time. */
import { defined } from '../../domain/defined.js';
import type { Resealed } from '../../domain/secrets/resealing.js';
import type { BoundCommands } from '../../engine/commandHandler/boundCommands.js';
import { categoryOf, type EventStore, type Position, type RecordedEvent } from '../../engine/ports/eventStore.js';
import { KeyUnreadable } from '../../engine/sealing/vaultErrors.js';
import type { SealingKeys } from '../ports/sealingKeys.js';
import type { SecretBox } from '../ports/secretBox.js';
import { type SealedSecret, type SecretHolder, secretHolders } from './sealedSecrets.js';

export interface RotatingParts {
  /** As it is stored: what tells of people is not opened, so that it can be read whatever is under other keys. */
  readonly log: Pick<EventStore, 'readAll' | 'head'>;
  readonly secretBox: SecretBox;
  readonly keys: SealingKeys;
  /** Commands whose events are about this store or partner. */
  commands(about: { workspaceId?: string; partnerId?: string }): BoundCommands;
}

export interface RotatedPart {
  /** Everything up to here has been looked at. */
  readonly through: Position;
  readonly end: boolean;
  readonly head: Position;
  /** Secrets that were sealed anew. */
  readonly resealed: number;
  /** Of which none of the keys opens something, such as `webhookEndpoint-…`. */
  readonly unreadable: readonly string[];
}

const PAGE = 200;
/** How long one part may take, in ms: who follows sees it move, and no request waits for the whole. */
const PART_MS = 1_000;

const CATEGORIES = new Map(secretHolders.map((holder) => [holder.category, holder]));
const FILTER = {
  categories: [...CATEGORIES.keys()],
  types: [...new Set(secretHolders.flatMap(({ types }) => types))],
};

/** The secret under the current key; undefined: no key opens it. */
function resealed({ secretBox }: RotatingParts, { sealed, context }: SealedSecret): Resealed | undefined {
  try {
    return { context, before: sealed, after: secretBox.seal(secretBox.open(sealed, context), context) };
  } catch {
    return undefined;
  }
}

/** Undefined: the stream itself cannot be read, since the key of somebody whom it tells of opens under none of the master keys. */
async function heldBy(holder: SecretHolder, commands: BoundCommands, id: string) {
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
  const held = await heldBy(holder, commands, id);
  if (held === undefined) return { resealed: 0, unreadable: true };
  const stale = held.filter(({ sealed }) => !parts.keys.isCurrent(sealed));
  const opened = stale.map((one) => resealed(parts, one));
  const anew = opened.filter((one) => one !== undefined);
  if (anew.length > 0) await holder.reseal(commands, id, anew);
  return { resealed: anew.length, unreadable: anew.length < stale.length };
}

/**
 * Looks through the log from (exclusive) `after`, for about a second, at streams that hold secrets. What is sealed under the
 * current key stays, so it may be stopped at any instant and begun anew. The clock is the process's own.
 */
export async function rotateSecrets(parts: RotatingParts, after: Position): Promise<RotatedPart> {
  const until = performance.now() + PART_MS;
  const seen = new Set<string>();
  const unreadable = new Set<string>();
  let sealedAnew = 0;
  let through = after;
  let end = false;
  while (!end && performance.now() < until) {
    const page = await parts.log.readAll(through, { filter: FILTER, limit: PAGE });
    for (const event of page.events) {
      const holder = CATEGORIES.get(categoryOf(event.stream));
      if (holder === undefined || seen.has(event.stream)) continue;
      seen.add(event.stream);
      const done = await rotateStream(parts, holder, event);
      sealedAnew += done.resealed;
      if (done.unreadable) unreadable.add(event.stream);
    }
    ({ through, end } = page);
  }
  return { through, end, head: await parts.log.head(), resealed: sealedAnew, unreadable: [...unreadable] };
}
