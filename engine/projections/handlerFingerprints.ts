/**
 * What a projection's handlers are made of, as a hash: the compiled module that the projection stands in, and the project's
 * modules that it imports, without the engine and without packages. Comments, layout, types and the names of the files do
 * not count, so that it changes when handlers may make other documents, and seldom otherwise.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { AnyProjection } from './projection.js';

export interface HandlerFingerprint {
  readonly current: string;
  /** Of handlers of the same version that make the same documents. */
  readonly same: readonly string[];
}

/** By the projection's name: what has been recorded of its handlers, for this version of it. */
export type RecordedFingerprints = Readonly<
  Record<string, { readonly version: number; readonly fingerprint: string; readonly same?: readonly string[] }>
>;

const ENGINE = new URL('../', import.meta.url).href;

/** Strings, templates and regular expressions, which are kept as they are; and comments. */
const PARTS = new RegExp(
  [
    /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)/,
    /((?<=(?:[=(,:;!&|?{[]|\breturn)\s*)\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/)/,
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);
const IMPORT = /\b(?:from|import)\s*\(?\s*(["'])(\.{1,2}\/[^"']+)\1/g;
const STATEMENT = /^import\b[^;]*;/gm;

/** The code without what does not count: which file a module stands in, and the order of imports, are among that. */
export function normalised(code: string): string {
  const placeless = code.replace(IMPORT, 'from');
  const kept = [...(placeless.match(STATEMENT) ?? [])].sort();
  const bare = placeless
    .replace(STATEMENT, '')
    .replace(PARTS, (_, text?: string, expression?: string) => {
      const part = text ?? expression;
      if (part === undefined) return ' ';
      kept.push(part);
      return '\u0000';
    })
    .replace(/,\s*(?=[\])}])/g, '')
    .replace(/(?<!\w)\s+|\s+(?!\w)/g, '');
  return [bare, ...kept].join('\n');
}

interface Module {
  readonly hash: string;
  readonly imports: readonly string[];
}

/** Modules by their URL, each read once. */
class Modules {
  readonly #read = new Map<string, Promise<Module>>();

  at(url: string): Promise<Module> {
    let module = this.#read.get(url);
    if (module === undefined) {
      module = this.#load(url);
      this.#read.set(url, module);
    }
    return module;
  }

  async #load(url: string): Promise<Module> {
    const code = await readFile(new URL(url), 'utf8');
    const imports = [...code.matchAll(IMPORT)].map(([, , path]) => new URL(path!, url).href);
    const hash = createHash('sha256').update(normalised(code)).digest('hex');
    return { hash, imports: imports.filter((one) => !one.startsWith(ENGINE) && one.endsWith('.js')) };
  }

  /** Of a module and all that it imports. */
  async fingerprint(url: string): Promise<string> {
    const reached = new Set([url]);
    const hashes: string[] = [];
    // A set's walk also meets what is added on the way.
    for (const one of reached) {
      const { hash, imports } = await this.at(one);
      hashes.push(hash);
      for (const imported of imports) reached.add(imported);
    }
    return createHash('sha256').update(hashes.sort().join()).digest('hex').slice(0, 16);
  }
}

/**
 * Where the build keeps the fingerprints of a module that it has put together of many, in whose text they cannot be told apart: as JSON, the
 * entries of `handlerFingerprints`.
 */
export const keptFingerprints = (index: string): URL => new URL(index.replace(/\.js$/, '.fingerprints.json'));

/** Of each projection, by its name. `index`: URL of the compiled or bundled module that lists them, which has been loaded. */
export async function handlerFingerprints(
  index: string,
  projections: readonly AnyProjection[],
  recorded: RecordedFingerprints = {},
): Promise<Map<string, HandlerFingerprint>> {
  const kept = keptFingerprints(index);
  if (existsSync(kept)) return new Map(JSON.parse(await readFile(kept, 'utf8')) as [string, HandlerFingerprint][]);
  const modules = new Modules();
  const places = new Map<unknown, string>();
  for (const url of [...(await modules.at(index)).imports, index])
    for (const one of Object.values((await import(url)) as object)) if (!places.has(one)) places.set(one, url);
  const found = projections.map(async (projection) => {
    const current = await modules.fingerprint(places.get(projection) ?? index);
    const known = recorded[projection.name];
    // What is recorded of other handlers, or of another version, says nothing of these.
    const holds = known?.fingerprint === current && known.version === projection.version;
    return [projection.name, { current, same: (holds && known.same) || [] }] as const;
  });
  return new Map(await Promise.all(found));
}
