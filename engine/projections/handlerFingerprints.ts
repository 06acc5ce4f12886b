/**
 * Hash of a projection's handlers: the compiled module of the projection, and the modules of the project that it
 * imports, without the engine and packages. Comments, layout, types and file names do not count. The hash therefore
 * changes when handlers may make other documents, and seldom otherwise.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { AnyProjection } from './projection.js';

export interface HandlerFingerprint {
  readonly current: string;
  /** Fingerprints of handlers of the same version that make the same documents. */
  readonly same: readonly string[];
}

/** Recorded fingerprints by projection name, each for one version of the projection. */
export type RecordedFingerprints = Readonly<
  Record<string, { readonly version: number; readonly fingerprint: string; readonly same?: readonly string[] }>
>;

const ENGINE = new URL('../', import.meta.url).href;

/** Strings, templates and regular expressions, which stay as they are, and comments. */
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

/** Returns the code without irrelevant parts. These include the files of modules and the order of imports. */
export function normalised(code: string): string {
  const placeless = code.replace(IMPORT, 'from');
  const statements = [...(placeless.match(STATEMENT) ?? [])].sort();
  const bare = placeless
    .replace(STATEMENT, '')
    .replace(PARTS, (_, text?: string, expression?: string) => {
      const part = text ?? expression;
      if (part === undefined) return ' ';
      statements.push(part);
      return '\u0000';
    })
    .replace(/,\s*(?=[\])}])/g, '')
    .replace(/(?<!\w)\s+|\s+(?!\w)/g, '');
  return [bare, ...statements].join('\n');
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

  /** Returns the fingerprint of a module and everything that it imports. */
  async fingerprint(url: string): Promise<string> {
    const reached = new Set([url]);
    const hashes: string[] = [];
    // Iterating a set also visits elements that are added during the iteration.
    for (const one of reached) {
      const { hash, imports } = await this.at(one);
      hashes.push(hash);
      for (const imported of imports) reached.add(imported);
    }
    return createHash('sha256').update(hashes.sort().join()).digest('hex').slice(0, 16);
  }
}

/**
 * URL of the fingerprints that the build stores for a bundled module, whose text does not show the original modules.
 * JSON: the entries of `handlerFingerprints`.
 */
export const storedFingerprints = (index: string): URL => new URL(index.replace(/\.js$/, '.fingerprints.json'));

/**
 * Returns the fingerprints by projection name. `index`: URL of the compiled or bundled module that lists the
 * projections. It must have been loaded.
 */
export async function handlerFingerprints(
  index: string,
  projections: readonly AnyProjection[],
  recorded: RecordedFingerprints = {},
): Promise<Map<string, HandlerFingerprint>> {
  const stored = storedFingerprints(index);
  if (existsSync(stored)) return new Map(JSON.parse(await readFile(stored, 'utf8')) as [string, HandlerFingerprint][]);
  const modules = new Modules();
  const places = new Map<unknown, string>();
  for (const url of [...(await modules.at(index)).imports, index])
    for (const one of Object.values((await import(url)) as object)) if (!places.has(one)) places.set(one, url);
  const found = projections.map(async (projection) => {
    const current = await modules.fingerprint(places.get(projection) ?? index);
    const known = recorded[projection.name];
    // A record of other handlers, or of another version, does not apply.
    const holds = known?.fingerprint === current && known.version === projection.version;
    return [projection.name, { current, same: (holds && known.same) || [] }] as const;
  });
  return new Map(await Promise.all(found));
}
