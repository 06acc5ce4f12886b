/** Finds pages by words: whole ones, their beginnings, and ones with a letter wrong. */

export interface SearchIndex {
  /** Title, kind, address, and what it is about. */
  readonly pages: readonly (readonly [title: string, kind: string, path: string, about: string])[];
  /** Pages by word: the place of a page in `pages`, the word's weight there, the next index, … */
  readonly words: Readonly<Record<string, readonly number[]>>;
}

export interface Hit {
  readonly title: string;
  readonly kind: string;
  readonly path: string;
  readonly about: string;
}

/** Lower case, without signs; names such as `createPromotion` and `order.paid` also by their parts. */
export function wordsOf(text: string): string[] {
  const names = text.match(/[\p{L}\p{N}_.]+/gu) ?? [];
  return names.flatMap((name) => {
    const parts = name.replace(/([a-z])([A-Z])/g, '$1 $2').split(/[\s_.]+/);
    const all = parts.length > 1 ? [...parts, name.replace(/^\.+|\.+$/g, '')] : parts;
    return all.map((part) => part.toLowerCase()).filter((part) => part.length > 1);
  });
}

/** Returns true if one letter is added, removed, changed or exchanged with its neighbour. */
export function isNear(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let from = 0;
  while (from < a.length && a[from] === b[from]) from += 1;
  const rest = (text: string, skip: number): string => text.slice(from + skip);
  return (
    rest(a, 1) === rest(b, 1) ||
    rest(a, 1) === rest(b, 0) ||
    rest(a, 0) === rest(b, 1) ||
    (a[from] === b[from + 1] && a[from + 1] === b[from] && rest(a, 2) === rest(b, 2))
  );
}

/** Shorter words have too many neighbours. */
const NEAR_FROM = 4;
const WHOLE = 3;
const BEGINNING = 1;
const NEAR = 0.4;

/** How well pages fit one word. */
function fits({ words }: SearchIndex, asked: string): Map<number, number> {
  const fit = new Map<number, number>();
  const count = (word: string, factor: number): void => {
    const places = words[word]!;
    // A word on few pages has more weight than one on many.
    const rare = 1 + 4 / Math.sqrt(places.length);
    for (let at = 0; at < places.length; at += 2) {
      const page = places[at]!;
      fit.set(page, Math.max(fit.get(page) ?? 0, places[at + 1]! * factor * rare));
    }
  };
  const all = Object.keys(words);
  for (const word of all)
    if (word === asked) count(word, WHOLE);
    else if (word.startsWith(asked)) count(word, BEGINNING);
  if (fit.size === 0 && asked.length >= NEAR_FROM) for (const word of all) if (isNear(word, asked)) count(word, NEAR);
  return fit;
}

const MOST_WORDS = 8;
/** A word on this fraction of all pages has little weight: with other words it excludes no page. */
const COMMON = 0.5;
const BESIDE = 0.1;

const isCommon = ({ words, pages }: SearchIndex, word: string): boolean =>
  Object.hasOwn(words, word) && words[word]!.length / 2 > pages.length * COMMON;

/** The pages that have all the words but those that nearly all pages have, the best first. */
export function found(index: SearchIndex, text: string, most: number): Hit[] {
  const asked = [...new Set(text.toLowerCase().match(/[\p{L}\p{N}_.]+/gu) ?? [])].slice(0, MOST_WORDS);
  if (asked.length === 0) return [];
  const telling = asked.filter((word) => !isCommon(index, word));
  const needed = telling.length === 0 ? asked : telling;
  const beside = asked.filter((word) => !needed.includes(word)).map((word) => fits(index, word));
  const [first, ...others] = needed.map((word) => fits(index, word)) as [Map<number, number>, ...Map<number, number>[]];
  const scores = [...first].flatMap(([page, score]): [number, number][] => {
    let sum = score;
    for (const other of others) {
      const more = other.get(page);
      if (more === undefined) return [];
      sum += more;
    }
    for (const other of beside) sum += BESIDE * (other.get(page) ?? 0);
    return [[page, sum]];
  });
  return scores
    .sort(([a, scoreA], [b, scoreB]) => scoreB - scoreA || a - b)
    .slice(0, most)
    .map(([page]) => {
      const [title, kind, path, about] = index.pages[page]!;
      return { title, kind, path, about };
    });
}
