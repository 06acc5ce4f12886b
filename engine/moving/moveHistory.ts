import { BEFORE_ALL, type EventStore, type Position, type RecordedEvent } from '../ports/eventStore.js';
import { Copying } from './copying.js';
import { described, Fingerprint } from './fingerprint.js';
import { MoveError } from './moveError.js';
import { type ComparedEvent, type Log, type Show, Walk } from './walk.js';

export interface MoveProgress {
  /** comparing: checks what the target has already. copying. verifying: reads the copied events back. */
  readonly phase: 'comparing' | 'copying' | 'verifying';
  /** Events so far that exist in both logs (comparing, copying), or were read back (verifying). */
  readonly events: number;
  /** Progress in the source's log, 0 to 1. */
  readonly share: number;
}

export interface Move {
  readonly source: Log & Pick<EventStore, 'head'>;
  readonly target: Log & Pick<EventStore, 'append'>;
  /**
   * Maximum size of one append to the target in bytes, with metadata and types. Default: 1,000,000. Refused appends are
   * split.
   */
  readonly mostBytes?: number;
  /** Transforms events on the way. Absent: events are copied unchanged. */
  readonly change?: Change;
  progress?(now: MoveProgress): void;
  readonly signal?: AbortSignal;
}

/** Transformation of events during a move. */
export interface Change {
  /** Returns the event to write in place of a source event. Called for one event after the other. */
  written(event: RecordedEvent): Promise<RecordedEvent>;
  /** Returns the parts of events that must be equal in source and target. */
  readonly shown: Show;
  /** True if an event of the target is transformed as intended. */
  isDone(event: RecordedEvent): boolean;
}

export interface Moved {
  /** Events in both logs. */
  readonly events: number;
  /** SHA-256 in hexadecimal, over stream, revision, id, type, data and metadata of every compared event, in order. */
  readonly digest: string;
}

/** Events between two progress reports, and between two checks of the signal. */
const STRIDE = 1_000;
/** Below EventStoreDB's default limit for one append, 1 MiB. */
const MOST_BYTES = 1_000_000;

/**
 * Copies a whole history into another event store: every event with its stream, revision, id, type, data and metadata,
 * in the order of the source's log. Meanwhile nothing may be written to the source, and nothing else to the target.
 *
 * It can be stopped at any time and called again. It first compares the content of the target with the beginning of the
 * source, and continues from there. At the end the whole target has been read, and equals the source by count and
 * digest. Rejects with MoveError, StoreUnavailable, or the signal's reason.
 */
export async function moveHistory(move: Move): Promise<Moved> {
  const { source, target, change } = move;
  const steps = new Steps(move, await source.head());
  const [from, to] = [new Fingerprint(), new Fingerprint()];
  const rest = new Walk(source, BEFORE_ALL, change?.shown);
  const targetWalk = new Walk(target, BEFORE_ALL, change?.shown);
  const after = await compare({ targetWalk, rest, change }, [from, to], steps);
  await copy({ rest, from, change }, new Copying(target, move.mostBytes ?? MOST_BYTES), steps);
  const copied = new Walk(target, after, change?.shown);
  for (let one = await copied.next(); one !== undefined; one = await copied.next()) {
    requireDone(one, change);
    to.add(described(one.shown).line);
    steps.step('verifying', to.events, to.events / from.events);
  }
  steps.last('verifying', to.events);
  return equal(from, to);
}

/** Compares the target with the beginning of the source. Returns the position in the target where its content ends. */
async function compare(
  { targetWalk, rest, change }: Pick<Move, 'change'> & { readonly targetWalk: Walk; readonly rest: Walk },
  prints: readonly Fingerprint[],
  steps: Steps,
): Promise<Position> {
  let after: Position = BEFORE_ALL;
  for (let one = await targetWalk.next(); one !== undefined; one = await targetWalk.next()) {
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
  { rest, from, change }: Pick<Move, 'change'> & { readonly rest: Walk; readonly from: Fingerprint },
  copying: Copying,
  steps: Steps,
): Promise<void> {
  try {
    for (let one = await rest.next(); one !== undefined; one = await rest.next()) {
      const own = described(one.shown);
      from.add(own.line);
      // Awaited before the next event: appends go out in the order of the log.
      const written = change === undefined ? one.stored : await change.written(one.stored);
      await copying.add(written, change === undefined ? own.size : described(written).size);
      steps.step('copying', from.events, steps.shareOf(one.stored.position));
    }
    await copying.done();
  } finally {
    await copying.settled();
  }
}

function requireDone({ stored }: ComparedEvent, change: Change | undefined): void {
  if (change === undefined || change.isDone(stored)) return;
  const { stream, revision } = stored;
  throw new MoveError(
    'not_sealed',
    `event ${revision} of ${stream} is stored in clear text in the target. Move to an empty target.`,
  );
}

const otherEvents = ({ stream, revision }: RecordedEvent): MoveError =>
  new MoveError(
    'target_holds_other_events',
    `the target has an event ${revision} of ${stream} that the source does not have there. Move to an empty target.`,
  );

function equal(from: Fingerprint, to: Fingerprint): Moved {
  const digest = from.digest();
  if (to.events !== from.events)
    throw new MoveError('not_equal', `the source has ${from.events} events, the target ${to.events}`);
  if (to.digest() !== digest)
    throw new MoveError('not_equal', `the ${from.events} events of source and target differ. Move to an empty target.`);
  return { events: from.events, digest };
}

/** Reports progress, and checks the signal. */
class Steps {
  readonly #move: Move;
  readonly #head: Position;
  #count = 0;

  constructor(move: Move, head: Position) {
    this.#move = move;
    this.#head = head;
  }

  /** Returns the progress in the source's log. */
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
