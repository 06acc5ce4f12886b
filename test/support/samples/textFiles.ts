/** Files of texts as a translator edits them, read from the build. */
import { createRequire } from 'node:module';
import type { TextKey } from '../../../application/texts/texts.js';
import type { Locale } from '../../../domain/stores/storeEvents.js';

export type Forms = string | Readonly<Record<string, string>>;

interface TextEntry {
  readonly note?: string;
  readonly placeholders?: Readonly<Record<string, string>>;
  /** Maximum length, in characters. */
  readonly max?: number;
  readonly en: Forms;
  readonly so?: Forms;
  readonly ar?: Forms;
}

export interface TextFile {
  readonly about: { readonly language: string; readonly review?: string; readonly reviewedBy?: string };
  readonly texts: Readonly<Record<TextKey, TextEntry>>;
}

const read = createRequire(import.meta.url);

export const textFile = (locale: Locale): TextFile => read(`../../../application/texts/${locale}.json`) as TextFile;

/** Returns the texts of a file with their keys. */
export const entriesOf = (file: TextFile): [TextKey, TextEntry][] =>
  Object.entries(file.texts) as [TextKey, TextEntry][];

type EndOf<Start extends string, Key = TextKey> = Key extends `${Start}${infer End}` ? End : never;

/** Returns the ends of the keys that begin with `start`: `endsOf('payments.why.')` are the reasons. */
export const endsOf = <Start extends string>(start: Start): EndOf<Start>[] =>
  Object.keys(textFile('en').texts)
    .filter((key) => key.startsWith(start))
    .map((key) => key.slice(start.length) as EndOf<Start>);
