import { existsSync, readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { fileURLToPath } from 'node:url';

export interface Place {
  readonly functionName: string;
  readonly url: string;
  /** From 0, as in a profile. */
  readonly lineNumber: number;
  readonly columnNumber?: number;
}

const BUNDLE = /^file:.*\/dist\/bundled\/[^/]+\.js$/;
/** From a bundle's folder up to the project's, and on to a source. */
const SOURCE = /^(?:\.\.\/)+(.+)\.ts$/;
/** Functions of the same name in a bundle have a number, except the first. */
const NUMBER = /\$\d+$/;

function mapOf(url: string): SourceMap | undefined {
  const file = BUNDLE.test(url) ? `${fileURLToPath(url)}.map` : undefined;
  if (file === undefined || !existsSync(file)) return undefined;
  return new SourceMap(JSON.parse(readFileSync(file, 'utf8')) as SourceMapPayload);
}

/** Functions of bundles as if the modules that they are made of had been loaded; all others as they are. */
export function unbundled(): (place: Place) => Place {
  const maps = new Map<string, SourceMap | undefined>();
  return (place) => {
    const { url, lineNumber, columnNumber = 0 } = place;
    if (!maps.has(url)) maps.set(url, mapOf(url));
    const entry = maps.get(url)?.findEntry(lineNumber, columnNumber);
    const source =
      entry !== undefined && 'originalSource' in entry ? SOURCE.exec(entry.originalSource)?.[1] : undefined;
    if (source === undefined) return place;
    return { ...place, url: `file:///dist/${source}.js`, functionName: place.functionName.replace(NUMBER, '') };
  };
}
