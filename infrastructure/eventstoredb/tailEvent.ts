import type { EventMeta } from '../../domain/decider.js';
import type { Position, RecordedEvent } from '../../engine/ports/eventStore.js';
import { shardKeyOf } from '../../engine/shards.js';
import { positionOf } from './positions.js';
import type { WireEvent } from './readMessages.js';
import { metaOf, objectIn } from './recordedEvents.js';

/**
 * An event of the tail, parsed on first use. If several instances share their work by stores, most events belong to others, and only their
 * metadata are read.
 */
export class TailEvent {
  readonly stream: string;
  readonly type: string;
  readonly position: Position;
  /** Size of its message in bytes. */
  readonly bytes: number;
  /** Until it is parsed. */
  #wire: WireEvent | undefined;
  #meta: Partial<EventMeta> | undefined;
  #key: string | undefined;
  #event: RecordedEvent | undefined;

  constructor(wire: WireEvent) {
    this.stream = wire.stream;
    this.type = wire.type;
    this.position = positionOf(wire.commit, wire.prepare);
    this.bytes = wire.bytes.length;
    this.#wire = wire;
  }

  /** Key of its shard: its store, or the id in its stream's name if it has none. */
  get key(): string {
    this.#key ??= shardKeyOf({ stream: this.stream, meta: this.#storedMeta() });
    return this.#key;
  }

  /** Undefined: the port does not show it, since its data is no JSON object, or it is the system's own. */
  get event(): RecordedEvent | undefined {
    const wire = this.#wire;
    if (wire === undefined) return this.#event;
    const { stream, type, position } = this;
    const { id, revision, bytes, dataFrom, dataTo } = wire;
    const isShown = wire.json && !stream.startsWith('$');
    const data = isShown ? objectIn(bytes, dataFrom, dataTo) : undefined;
    if (data !== undefined)
      this.#event = { stream, revision, position, id, type, data, meta: metaOf(wire, this.#storedMeta()) };
    this.#key ??= this.key;
    this.#wire = undefined;
    return this.#event;
  }

  #storedMeta(): Partial<EventMeta> | undefined {
    const wire = this.#wire;
    if (wire !== undefined) this.#meta ??= objectIn(wire.bytes, wire.metaFrom, wire.metaTo);
    return this.#meta;
  }
}
