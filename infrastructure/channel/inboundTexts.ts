/** Texts and JSON of one message that a customer sent. Whatever is longer than its limit is named in `cut`. */
import type { JsonObject } from '../../domain/jsonObject.js';
import { cleanText, cut } from './cleanText.js';

/** Characters of one text: what the channel allows in a message. */
export const TEXT = 4_096;
/** Characters of a name, a title or an id. */
export const TITLE = 256;
const ENTRIES = 100;

export interface JsonLimits {
  /** Levels of lists and objects. */
  readonly depth: number;
  /** Characters of all keys and texts together. */
  readonly characters: number;
}

export class InboundTexts {
  /** Names of fields, as the channel calls them. */
  readonly cut = new Set<string>();

  /** At most `most` characters; undefined for what is no string, or an empty one. */
  text(name: string, value: unknown, most: number): string | undefined {
    if (typeof value === 'string' && cut(value, most) !== value) this.cut.add(name);
    return cleanText(value, most);
  }

  /** At most `most` entries. */
  list(name: string, values: readonly unknown[], most: number): readonly unknown[] {
    if (values.length > most) this.cut.add(name);
    return values.slice(0, most);
  }

  /** A copy of an object of any form: bounded in size and depth, with clean strings. */
  json(name: string, value: JsonObject, limits: JsonLimits): Record<string, unknown> {
    let left = limits.characters;
    const text = (from: string, most: number): string => {
      const copy = this.text(name, from, Math.min(most, left)) ?? '';
      left = Math.max(0, left - copy.length);
      return copy;
    };
    const copied = (from: unknown, depth: number): unknown => {
      if (typeof from === 'string') return text(from, TEXT);
      if (typeof from === 'boolean' || Number.isFinite(from)) return from;
      if (typeof from !== 'object' || from === null) return null;
      if (depth === 0) {
        this.cut.add(name);
        return null;
      }
      if (Array.isArray(from)) return this.list(name, from, ENTRIES).map((item) => copied(item, depth - 1));
      return fields(from as JsonObject, depth);
    };
    const fields = (from: JsonObject, depth: number): Record<string, unknown> => {
      const entries = this.list(name, Object.entries(from), ENTRIES) as [string, unknown][];
      const named = entries.filter(([key]) => key !== '' && key !== '__proto__');
      return Object.fromEntries(
        named.flatMap(([key, item]) => {
          const copy = text(key, TITLE);
          return copy === '' ? [] : [[copy, copied(item, depth - 1)]];
        }),
      );
    };
    return fields(value, limits.depth);
  }
}
