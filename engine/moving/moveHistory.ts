import { BEFORE_ALL, type EventStore, type Position, type RecordedEvent } from '../ports/eventStore.js';
import { Copying } from './copying.js';
import { described, Fingerprint } from './fingerprint.js';
import { MoveError } from './moveError.js';
import { type Log, type Show, type Stood, Walk } from './walk.js';

export interface MoveProgress {
  /** comparing: what the target holds already. copying. verifying: what was copied is read back. */
  readonly phase: 'comparing' | 'copying' | 'verifying';
  /** Events so far that stand in both (comparing, copying), or were read back (verifying). */
  readonly events: number;
  /** Of the source's log, 0 to 1. */
  readonly share: number;
}

export interface Move {
  readonly source: Log & Pick<EventStore, 'head'>;
  readonly target: Log & Pick<EventStore, 'append'>;
  /** Bytes of one append to the target, metadata and types included; 1,000,000 when absent. What is refused is split. */
  readonly mostBytes?: number;
  /** Events are written as they stand when absent. */
  readonly change?: Change;
  progress?(now: MoveProgress): void;
  readonly signal?: AbortSignal;
}

/** What events become on the way. */
export interface Change {
  /** What is written in place of an event of the source; asked for one after the other. */
  written(event: RecordedEvent): Promise<RecordedEvent>;
  /** What of an event of either is the same in both. */
  readonly shown: Show;
  /** Whether an event of the target has become what it should. */
  isDone(event: RecordedEvent): boolean;
}

export interface Moved {
  /** Events that both hold. */
  readonly events: number;
  /** SHA-256, in hexadecimal digits, over stream, revision, id, type, data and metadata of every event as it is compared, in order. */
  readonly digest: string;
}

/** Events between two words of progress, and two looks at the signal. */
const STRIDE = 1_000;
/** Less than EventStoreDB's limit of one append, 1 MiB unless it was set. */
const MOST_BYTES = 1_000_000;

/**
 * Copies a whole history into another event store: every event with its stream, revision, id, type, data and metadata,
 * in the order of the source's log. Nothing may be written to the source meanwhile, and nothing else to the target.
 *
 * It can be stopped at any instant and called again: it first goes through what the target holds, which must be how the
 * source begins, and goes on from there. In the end all of the target has been read and is equal to the source, by count
 * and digest. Rejects with MoveError, StoreUnavailable, or the signal's reason.
 */
export async function moveHistory(move: Move): Promise<Moved> {
  const { source, target, change } = move;
  const steps = new Steps(move, await source.head());
  const [from, to] = [new Fingerprint(), new Fingerprint()];
  const rest = new Walk(source, BEFORE_ALL, change?.shown);
  const held = new Walk(target, BEFORE_ALL, change?.shown);
  const after = await compare(held, rest, [from, to], steps, change);
  await copy(rest, from, new Copying(target, move.mostBytes ?? MOST_BYTES), steps, change);
  const copied = new Walk(target, after, change?.shown);
  for (let one = await copied.next(); one !== undefined; one = await copied.next()) {
    requireDone(one, change);
    to.add(described(one.shown).line);
    steps.step('verifying', to.events, to.events / from.events);
  }
  steps.last('verifying', to.events);
  return equal(from, to);
}

/** Goes through what the target holds, which is how the source begins; answers where in the target that ends. */
async function compare(
  held: Walk,
  rest: Walk,
  prints: readonly Fingerprint[],
  steps: Steps,
  change: Change | undefined,
): Promise<Position> {
  let after: Position = BEFORE_ALL;
  for (let one = await held.next(); one !== undefined; one = await held.next()) {
    const own = await rest.next();
    const { line } = described(one.shown);
    if (own === undefined || described(own.shown).line !== line) throw otherEvents(one.stored);
    requireDone(one, change);
    for (const print of prints) print.add(line);
    after = one.stored.position;
    steps.step('comparing', prints[0]!.events, steps.shareOf(own.stored.position));
  }
  return after;
}

async function copy(
  rest: Walk,
  from: Fingerprint,
  copying: Copying,
  steps: Steps,
  change: Change | undefined,
): Promise<void> {
  try {
    for (let one = await rest.next(); one !== undefined; one = await rest.next()) {
      const own = described(one.shown);
      from.add(own.line);
      // Before it is given on: appends go out in the order of the log.
      const written = change === undefined ? one.stored : await change.written(one.stored);
      await copying.add(written, change === undefined ? own.size : described(written).size);
      steps.step('copying', from.events, steps.shareOf(one.stored.position));
    }
    await copying.done();
  } finally {
    await copying.settled();
  }
}

function requireDone({ stored }: Stood, change: Change | undefined): void {
  if (change === undefined || change.isDone(stored)) return;
  const { stream, revision } = stored;
  throw new MoveError('not_sealed', `event ${revision} of ${stream} stands in clear in the target: name an empty one`);
}

const otherEvents = ({ stream, revision }: RecordedEvent): MoveError =>
  new MoveError(
    'target_holds_other_events',
    `the target holds event ${revision} of ${stream}, which the source does not hold at that place: name an empty one`,
  );

function equal(from: Fingerprint, to: Fingerprint): Moved {
  const digest = from.digest();
  if (to.events !== from.events)
    throw new MoveError('not_equal', `the source holds ${from.events} events, the target ${to.events}`);
  if (to.digest() !== digest)
    throw new MoveError(
      'not_equal',
      `the ${from.events} events of source and target are not the same: name an empty target`,
    );
  return { events: from.events, digest };
}

/** Tells how far it is, and whether it shall go on. */
class Steps {
  readonly #move: Move;
  readonly #head: Position;
  #count = 0;

  constructor(move: Move, head: Position) {
    this.#move = move;
    this.#head = head;
  }

  /** Of the source's log. */
  shareOf(position: Position): number {
    return (position + 1) / (this.#head + 1);
  }

  step(phase: MoveProgress['phase'], events: number, share: number): void {
    this.#count += 1;
    if (this.#count % STRIDE !== 0) return;
    this.#move.signal?.throwIfAborted();
    this.#move.progress?.({ phase, events, share: Math.min(1, share) });
  }

  last(phase: MoveProgress['phase'], events: number): void {
    this.#move.progress?.({ phase, events, share: 1 });
  }
}
