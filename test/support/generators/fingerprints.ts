/**
 * Maintains `projections/fingerprints.ts`, the recorded fingerprints of the projections' handlers.
 * `npm run fingerprints` records new projections and raised versions. `npm run fingerprints -- --same NAME…` declares
 * that changed handlers produce the same documents as before. Without a name, that applies to all changed projections.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { handlerFingerprints, type RecordedFingerprints } from '../../../engine/projections/handlerFingerprints.js';
import type { AnyProjection } from '../../../engine/projections/projection.js';
import * as service from '../../../projections/index.js';

type Entry = RecordedFingerprints[string];

export interface Judged {
  /** The record as it should be. */
  readonly recorded: RecordedFingerprints;
  /** Problems of the current record and how to fix them, one sentence per projection. */
  readonly stale: readonly string[];
  /**
   * Projections whose handlers have changed under the same version, without a declaration that documents stay the same.
   */
  readonly changed: readonly string[];
}

/** Maximum number of earlier fingerprints stored per version: those of documents begun under them and never rebuilt. */
const MOST_SAME = 4;

function entryOf(before: Entry | undefined, version: number, fingerprint: string): Entry {
  if (before?.version !== version || before.fingerprint === fingerprint)
    return before?.version === version ? before : { version, fingerprint };
  const same = [before.fingerprint, ...(before.same ?? [])].filter((one) => one !== fingerprint);
  return { version, fingerprint, same: same.slice(0, MOST_SAME) };
}

/** Compares a record with the handlers. `isSame`: whether a projection is declared to produce the same documents. */
export function judge(
  projections: readonly Pick<AnyProjection, 'name' | 'version'>[],
  current: ReadonlyMap<string, string>,
  before: RecordedFingerprints,
  isSame: (name: string) => boolean = () => false,
): Judged {
  const recorded: Record<string, Entry> = {};
  const stale: string[] = [];
  const changed: string[] = [];
  for (const { name, version } of [...projections].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const [was, fingerprint] = [before[name], current.get(name)!];
    const isChanged = was?.version === version && was.fingerprint !== fingerprint;
    if (isChanged) {
      stale.push(
        `${name}: its handlers have changed under version ${version}. Raise the version and run 'npm run fingerprints'; if no document can become another, run 'npm run fingerprints -- --same ${name}'.`,
      );
      if (!isSame(name)) changed.push(name);
    } else if (was?.version !== version)
      stale.push(`${name}: version ${version} is not recorded. Run 'npm run fingerprints'.`);
    recorded[name] = isChanged && !isSame(name) ? was : entryOf(was, version, fingerprint);
  }
  for (const name of Object.keys(before))
    if (!(name in recorded)) stale.push(`${name}: there is no such projection. Run 'npm run fingerprints'.`);
  return { recorded, stale, changed };
}

/** Compares the record of the service's own projections. */
export async function judgeOwn(isSame?: (name: string) => boolean): Promise<Judged> {
  const index = new URL('../../../projections/index.js', import.meta.url).href;
  const found = await handlerFingerprints(index, service.projections);
  const current = new Map([...found].map(([name, one]) => [name, one.current]));
  return judge(service.projections, current, service.fingerprints, isSame);
}

const textOf = (
  recorded: RecordedFingerprints,
): string => `/** Written by \`npm run fingerprints\`: see docs/guides/add-a-projection.md. */
import type { RecordedFingerprints } from '../engine/projections/handlerFingerprints.js';

export const fingerprints: RecordedFingerprints = ${JSON.stringify(recorded)};
`;

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [flag, ...names] = process.argv.slice(2);
  const { recorded, stale, changed } = await judgeOwn(
    (name) => flag === '--same' && (names.length === 0 || names.includes(name)),
  );
  if (changed.length > 0) {
    process.exitCode = 1;
    process.stderr.write(`${stale.filter((one) => changed.some((name) => one.startsWith(`${name}:`))).join('\n')}\n`);
  }
  writeFileSync('projections/fingerprints.ts', textOf(recorded));
  const biome = 'node_modules/@biomejs/biome/bin/biome';
  execFileSync(process.execPath, [biome, 'format', '--write', 'projections/fingerprints.ts'], { stdio: 'ignore' });
}
