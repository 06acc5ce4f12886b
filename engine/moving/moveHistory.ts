import { BEFORE_ALL, type EventStore, type Position, type RecordedEvent } from '../ports/eventStore.js';
import { Copying } from './copying.js';
import { described, Fingerprint } from './fingerprint.js';
import { MoveError } from './moveError.js';
import { type Log, Walk } from './walk.js';

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
  progress?(now: MoveProgress): void;
  readonly signal?: AbortSignal;
}

export interface Moved {
  /** Events that both hold. */
  readonly events: number;
  /** SHA-256, in hexadecimal digits, over stream, revision, id, type, data and metadata of every event, in order. */
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
  const { source, target } = move;
  const steps = new Steps(move, await source.head());
  const [from, to] = [new Fingerprint(), new Fingerprint()];
  const rest = new Walk(source, BEFORE_ALL);
  const after = await compare(new Walk(target, BEFORE_ALL), rest, [from, to], steps);
  await copy(rest, from, new Copying(target, move.mostBytes ?? MOST_BYTES), steps);
  const copied = new Walk(target, after);
  for (let one = await copied.next(); one !== undefined; one = await copied.next()) {
    to.add(described(one).line);
    steps.step('verifying', to.events, to.events / from.events);
  }
  steps.last('verifying', to.events);
  return equal(from, to);
}

/** Goes through what the target holds, which is how the source begins; answers where in the target that ends. */
async function compare(held: Walk, rest: Walk, prints: readonly Fingerprint[], steps: Steps): Promise<Position> {
  let after: Position = BEFORE_ALL;
  for (let one = await held.next(); one !== undefined; one = await held.next()) {
    const own = await rest.next();
    const { line } = described(one);
    if (own === undefined || described(own).line !== line) throw otherEvents(one);
    for (const print of prints) print.add(line);
    after = one.position;
    steps.step('comparing', prints[0]!.events, steps.shareOf(own.position));
  }
  return after;
}

async function copy(rest: Walk, from: Fingerprint, copying: Copying, steps: Steps): Promise<void> {
  try {
    for (let one = await rest.next(); one !== undefined; one = await rest.next()) {
      const { line, size } = described(one);
      from.add(line);
      await copying.add(one, size);
      steps.step('copying', from.events, steps.shareOf(one.position));
    }
    await copying.done();
  } finally {
    await copying.settled();
  }
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
