/** Bundles that `npm run build` makes for a start, as Node would load them. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectFolder } from '../../harness/service/serviceProcess.js';

const FOLDER = join(projectFolder, 'dist/bundled');
const STATIC = /^(?:import|export) (?:[^"';]* from )?"([^"]+)";/gm;
const files = readdirSync(FOLDER).filter((file) => file.endsWith('.js'));

/** Returns the bundles, including the entries, and the packages that the entries load without `import()`. */
function loaded(entries: readonly string[]): { own: Set<string>; packages: Set<string> } {
  const own = new Set(entries);
  const packages = new Set<string>();
  for (const file of own)
    for (const [, name] of readFileSync(join(FOLDER, file), 'utf8').matchAll(STATIC))
      if (name!.startsWith('./')) own.add(name!.slice(2));
      else if (!name!.startsWith('node:')) packages.add(name!);
  return { own, packages };
}

const THREADS = files.filter((file) => /^[a-z][\w.]*Thread\.js$/.test(file));
const COMMAND = ['cli.main.js'];
const START = [...COMMAND, ...files.filter((file) => /^(?:serve|service)-[\w-]+\.js$/.test(file))];

describe('bundles', () => {
  it('are loaded as a few files by a start, a command and each thread', () => {
    expect(loaded(COMMAND).own.size).to.be.at.most(4);
    expect(loaded(START).own.size).to.be.within(4, 12);
    expect(THREADS).to.include.members([
      'service.composition.threads.projectionsThread.js',
      'infrastructure.sqlite.eventStore.writerThread.js',
    ]);
    for (const thread of THREADS) expect(loaded([thread]).own.size, thread).to.be.at.most(20);
  });

  it('load engine drivers and Express only when needed', () => {
    const needed = [START, ...THREADS.filter((thread) => !/endpoint/.test(thread)).map((thread) => [thread])];
    for (const entries of needed)
      for (const name of loaded(entries).packages)
        expect(name, entries[0]).not.to.match(
          /^(?:mongodb|@grpc|@eventstore|@aws-sdk|express|compression|helmet|undici|typebox)/,
        );
  });

  it('contain no engine in the part that every command loads', () => {
    expect([...loaded(COMMAND).packages]).to.have.members(['lru-cache', 'string-width']);
  });

  it('are as new as the compiled code', () => {
    const at = (path: string) => statSync(join(projectFolder, 'dist', path)).mtimeMs;
    expect(at('bundled/cli.main.js')).to.be.at.least(at('.tsbuildinfo'));
  });

  it('keep the fingerprints of every projection’s handlers', async () => {
    const { projections, fingerprints } = await import('../../projections/index.js');
    const { handlerFingerprints } = await import('../../engine/projections/handlerFingerprints.js');
    const compiled = new URL('../../projections/index.js', import.meta.url).href;
    const retained = JSON.parse(readFileSync(join(FOLDER, 'projections.index.fingerprints.json'), 'utf8'));
    expect(new Map(retained)).to.deep.equal(await handlerFingerprints(compiled, projections, fingerprints));
  });
});
