/** A run of the log as what an export adds to its files: the lines of each file one behind the other, as bytes. */
import type { Position } from '../../engine/ports/eventStore.js';
import type { LogRange } from '../logRanges/rangeThreads.js';
import type { Memory } from '../logRanges/serveRanges.js';
import { type EventSelection, isSelected, LineWriter } from './eventFeeder.js';
import type { EventText, EventTexts } from './eventTexts.js';

/** Lines of a run for one file: one event a line. */
export interface ChunkText {
  /** Undefined: of several types. */
  readonly type: string | undefined;
  /** Range of the chunk's bytes. */
  readonly from: number;
  readonly to: number;
  readonly lines: number;
}

/** Can be handed over to another thread. */
export interface Chunk {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Memory of `bytes`. */
  readonly memory: ArrayBuffer;
  readonly texts: readonly ChunkText[];
  /** Per event in log order: its position, the index of its text in `texts`, and the bytes of its line. */
  readonly positions: Float64Array<ArrayBuffer>;
  readonly textOf: Uint16Array<ArrayBuffer>;
  readonly lengths: Uint32Array<ArrayBuffer>;
  /** All up to here is in it or one before it. */
  readonly through: Position;
}

export interface ChunkRequest {
  readonly selection: EventSelection;
  /** A text for each type, or one for all. */
  readonly byType: boolean;
}

/** A chunk ends with the page in which it has so many bytes: a log may have long events. */
const BYTES = 4_000_000;
const LINE_END = 0x0a;
/** Maximum UTF-8 bytes per character of a string. */
const BYTES_A_CHARACTER = 3;
/** Initial size of a text's memory, which grows and is reused. */
const FIRST_BYTES = 16 * 1024;

/** Lines of one type, as bytes at once: strings that stay for a while are moved twice by the garbage collector. */
class Growing {
  lines = 0;
  length = 0;
  #memory = Buffer.allocUnsafeSlow(FIRST_BYTES);

  /** Answers the bytes of the line. */
  add(head: string, data: string | Uint8Array): number {
    const start = this.length;
    this.#grow((head.length + data.length) * BYTES_A_CHARACTER + 1);
    this.length += this.#memory.write(head, this.length);
    if (typeof data === 'string') this.length += this.#memory.write(data, this.length);
    else {
      this.#memory.set(data, this.length);
      this.length += data.length;
    }
    this.#memory[this.length] = LINE_END;
    this.length += 1;
    this.lines += 1;
    return this.length - start;
  }

  /** Copies all lines into other memory, and starts over. */
  takeInto(bytes: Uint8Array, at: number): void {
    bytes.set(this.#memory.subarray(0, this.length), at);
    this.lines = 0;
    this.length = 0;
  }

  #grow(most: number): void {
    if (this.length + most <= this.#memory.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.length + most));
    larger.set(this.#memory.subarray(0, this.length));
    this.#memory = larger;
  }
}

/** Types whose memory is reused for the next chunk, unless it was a large one: other programs may have any number of types. */
const MOST_KEPT = 128;

/** Makes chunks of events that come in the order of the log. */
class ChunkMaker {
  readonly #request: ChunkRequest;
  readonly #memory: Memory;
  readonly #lines = new LineWriter();
  #texts = new Map<string | undefined, { readonly at: number; readonly text: Growing }>();
  #positions: number[] = [];
  #textOf: number[] = [];
  #lengths: number[] = [];
  #bytes = 0;

  constructor(requested: ChunkRequest, memory: Memory) {
    this.#request = requested;
    this.#memory = memory;
  }

  get isFull(): boolean {
    return this.#bytes >= BYTES;
  }

  add(events: readonly EventText[]): void {
    for (const event of events) if (isSelected(event, this.#request.selection)) this.#add(event);
  }

  /** All that was added since the last one. */
  take(through: Position): Chunk {
    const memory = this.#memory(this.#bytes);
    const bytes = new Uint8Array(memory, 0, this.#bytes);
    let from = 0;
    const texts = [...this.#texts].map(([type, { text }]): ChunkText => {
      const { lines, length } = text;
      text.takeInto(bytes, from);
      from += length;
      return { type, from: from - length, to: from, lines };
    });
    const chunk = {
      bytes,
      memory,
      texts,
      positions: Float64Array.from(this.#positions),
      textOf: Uint16Array.from(this.#textOf),
      lengths: Uint32Array.from(this.#lengths),
      through,
    };
    if (this.#texts.size > MOST_KEPT || this.isFull) this.#texts = new Map();
    this.#positions = [];
    this.#textOf = [];
    this.#lengths = [];
    this.#bytes = 0;
    return chunk;
  }

  #add(event: EventText): void {
    const type = this.#request.byType ? event.type : undefined;
    let found = this.#texts.get(type);
    if (found === undefined) {
      found = { at: this.#texts.size, text: new Growing() };
      this.#texts.set(type, found);
    }
    const length = found.text.add(this.#lines.head(event), event.bytes ?? event.data);
    this.#positions.push(event.position);
    this.#textOf.push(found.at);
    this.#lengths.push(length);
    this.#bytes += length;
  }
}

/** Positions that one chunk goes through at most. */
const POSITIONS = 2_000;

/** In their order, by this thread; the last goes through the end of the range. */
export async function* chunksOf(
  texts: EventTexts,
  { after, through }: LogRange,
  requested: ChunkRequest,
  memory: Memory = (bytes) => new ArrayBuffer(bytes),
): AsyncGenerator<Chunk, undefined> {
  const maker = new ChunkMaker(requested, memory);
  for (let at = after; at < through; ) {
    const start = at;
    do {
      const page = await texts.read(at, through, requested.selection.types);
      maker.add(page.events);
      at = page.through;
    } while (at < through && !maker.isFull && at - start < POSITIONS);
    yield maker.take(at);
  }
  return undefined;
}
