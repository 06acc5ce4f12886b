/** Searches the index of the documentation, which the build makes with the same options. */
import MiniSearch, { type Options } from 'minisearch';

/** A page, or a section of a guide. */
export interface Entry {
  readonly path: string;
  readonly title: string;
  readonly kind: string;
  readonly about: string;
  /** Texts to find it by, the most specific first. */
  readonly name: string;
  readonly head: string;
  readonly text: string;
}

export type Hit = Pick<Entry, 'path' | 'title' | 'kind' | 'about'>;

/** Words that nearly every text has. */
const IGNORED: ReadonlySet<string> = new Set(
  (
    'a an and are as at be been but by can do does for from had has have how if in into is it its no nor not of off on or our ' +
    'out so such than that the their them then there these they this those to was we were what when where which while who ' +
    'will with without you your'
  ).split(' '),
);

const isSignificant = (word: string): boolean => word.length > 1 && !IGNORED.has(word);

/** Lower-case words without signs. Names such as `createPromotion` and `order.paid` are split into their parts. */
export function wordsOf(text: string): string[] {
  const parts = text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(parts.map((part) => part.toLowerCase()))].filter(isSignificant);
}

/** Words of a title, and its names as a whole too: `createpromotion`. */
const namesOf = (text: string): string[] =>
  [...new Set([...wordsOf(text), ...text.toLowerCase().split(/[^\p{L}\p{N}_.]+/u)])].filter(isSignificant);

export const OPTIONS: Options<Entry> = {
  idField: 'path',
  fields: ['name', 'head', 'text'],
  storeFields: ['title', 'kind', 'about'],
  tokenize: (text, field) => (field === 'name' ? namesOf(text) : wordsOf(text)),
  processTerm: (word) => word,
  searchOptions: {
    combineWith: 'AND',
    prefix: true,
    boost: { name: 5, head: 2 },
    bm25: { k: 1.2, b: 0.3, d: 0.5 },
    // A reader of an error has its code, and types that.
    boostDocument: (path) => (String(path).startsWith('/errors/') ? 0.7 : 1),
  },
};

/** Shorter words have too many neighbours. */
const MISTAKES_FROM = 4;

/** The entries that have all the words, the best first. Where none has, one wrong letter in a word is allowed, then two. */
export function search(index: MiniSearch<Entry>, text: string, most: number): Hit[] {
  for (const mistakes of [0, 1, 2]) {
    const hits = index.search(text, { fuzzy: (word) => (word.length < MISTAKES_FROM ? false : mistakes) });
    if (hits.length > 0)
      return hits.slice(0, most).map(({ id, title, kind, about }) => ({ path: id, title, kind, about }));
  }
  return [];
}

export const loadIndex = (json: string): MiniSearch<Entry> => MiniSearch.loadJSON(json, OPTIONS);
