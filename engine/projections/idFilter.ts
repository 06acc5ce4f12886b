/**
 * Bloom filter of ids that may have been stored. It never denies an added id, but reports some others as present. It
 * always takes 2 MiB. With three million ids it is wrong about one in fourteen others; with more it only becomes less
 * useful.
 */
const BITS = 2 ** 24;
const LAST = BITS - 1;

export class IdFilter {
  readonly #words = new Uint32Array(BITS / 32);

  add(id: string): void {
    const [one, other] = hashes(id);
    this.#set(one);
    this.#set(one + other);
    this.#set(one + 2 * other);
  }

  mayHave(id: string): boolean {
    const [one, other] = hashes(id);
    return this.#has(one) && this.#has(one + other) && this.#has(one + 2 * other);
  }

  #set(hash: number): void {
    const bit = hash & LAST;
    this.#words[bit >>> 5]! |= 1 << (bit & 31);
  }

  #has(hash: number): boolean {
    const bit = hash & LAST;
    return (this.#words[bit >>> 5]! & (1 << (bit & 31))) !== 0;
  }
}

const found: [number, number] = [0, 0];

/** Returns two 32-bit hashes, always in the same array. */
function hashes(id: string): readonly [number, number] {
  let one = 0x811c9dc5;
  let other = 0x9747b28c;
  for (let i = 0; i < id.length; i += 1) {
    const code = id.charCodeAt(i);
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other ^ code, 0x5bd1e995);
  }
  found[0] = (one ^ (one >>> 15)) >>> 0;
  found[1] = ((other ^ (other >>> 13)) >>> 0) | 1;
  return found;
}
