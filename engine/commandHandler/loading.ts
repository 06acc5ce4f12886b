import { setImmediate as turn } from 'node:timers/promises';
import type { Aggregate, DomainEvent, WithMeta } from '../../domain/decider.js';
import type { EventStore, Position } from '../ports/eventStore.js';
import type { SnapshotStore } from '../ports/snapshots.js';

export interface Loaded<State> {
  readonly state: State;
  /** Revision of the last event in the state; -1 if the stream does not exist. */
  readonly revision: number;
  /** Id of that event; absent if the stream does not exist. */
  readonly event: string | undefined;
  /** Position of that event in the log; absent if the stream does not exist. */
  readonly position: Position | undefined;
  /** Revision of the snapshot used; -1 if there was none. */
  readonly snapshot: number;
}

export interface Sources {
  readonly eventStore: EventStore;
  readonly snapshots: SnapshotStore;
}

/** Events folded between two turns of the event loop. `SLICE_MS`: the same for reading a snapshot, in ms. */
const PAGE = 500;
const SLICE_MS = 4;

/**
 * Loads the state of a stream: the snapshot, if one of this version exists, and the events after it. Calls `pause`
 * between slices, so that a long stream does not delay other requests.
 */
export async function loadState<S, E extends DomainEvent>(
  sources: Sources,
  aggregate: Aggregate<S, E>,
  stream: string,
  pause: () => Promise<unknown> = turn,
): Promise<Loaded<S>> {
  const loaded = await fromSnapshot(sources, aggregate, stream, pause);
  const none = { state: aggregate.initial(), revision: -1, event: undefined, position: undefined };
  let { state, revision, event: newest, position } = loaded ?? none;
  for (;;) {
    const events = await sources.eventStore.readStream(stream, { from: revision + 1, limit: PAGE });
    // RecordedEvent is the stored form of the aggregate's own events.
    for (const event of events) state = aggregate.evolve(state, event as unknown as WithMeta<E>);
    revision += events.length;
    position = events.at(-1)?.position ?? position;
    newest = events.at(-1)?.id ?? newest;
    if (events.length < PAGE) return { state, revision, event: newest, position, snapshot: loaded?.revision ?? -1 };
    await pause();
  }
}

async function fromSnapshot<S, E extends DomainEvent>(
  { eventStore, snapshots }: Sources,
  aggregate: Aggregate<S, E>,
  stream: string,
  pause: () => Promise<unknown>,
): Promise<Omit<Loaded<S>, 'snapshot'> | undefined> {
  const codec = aggregate.snapshot;
  if (codec === undefined) return undefined;
  try {
    const snapshot = await snapshots.load(stream);
    if (snapshot?.version !== codec.version) return undefined;
    const reading = codec.read();
    let since = performance.now();
    for await (const chunk of snapshot.chunks) {
      reading.add(chunk);
      if (performance.now() - since < SLICE_MS) continue;
      await pause();
      since = performance.now();
    }
    // A snapshot ahead of its stream, or of another event at that revision, belongs to another copy of the log.
    const [last] = await eventStore.readStream(stream, { from: snapshot.revision, limit: 1 });
    if (last === undefined || last.id !== (snapshot.event ?? last.id)) return undefined;
    return { state: reading.done(), revision: snapshot.revision, event: last.id, position: last.position };
  } catch {
    // Snapshots are disposable: if one cannot be read, the state is folded from the events alone.
    return undefined;
  }
}
