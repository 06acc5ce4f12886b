/** `scripts/ifChanged.mjs`, which leaves out steps of a build whose output is newer than what it is made from. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectFolder, temporaryFolder } from '../../harness/service/serviceProcess.js';

describe('a step of the build', () => {
  const folder = temporaryFolder('suuq-step-');
  after(() => folder.remove());
  const at = (name: string) => join(folder.path, name);
  const script = join(projectFolder, 'scripts/ifChanged.mjs');
  const COUNTS = "require('fs').appendFileSync('runs', '.'); process.exit(require('fs').existsSync('fail') ? 3 : 0)";

  const step = (): [status: number | null, runs: number] => {
    const args = [script, 'stamps/one', 'out', 'sources', 'one.json', '--', process.execPath, '-e', COUNTS];
    const { status } = spawnSync(process.execPath, args, { cwd: folder.path });
    return [status, readFileSync(at('runs'), 'utf8').length];
  };
  const touch = (name: string) => utimesSync(at(name), new Date(Date.now() + 1000), new Date(Date.now() + 1000));

  it('runs after a change of its sources, and again until it succeeds', () => {
    mkdirSync(at('sources/below'), { recursive: true });
    for (const name of ['sources/below/a.ts', 'sources/b.ts', 'one.json', 'runs']) {
      writeFileSync(at(name), '');
      utimesSync(at(name), 0, 0);
    }
    writeFileSync(at('out'), '');
    for (const name of ['sources/below', 'sources']) utimesSync(at(name), 0, 0);
    expect(step()).to.deep.equal([0, 1]);
    expect(step()).to.deep.equal([0, 1]);
    touch('sources/below/a.ts');
    writeFileSync(at('fail'), '');
    expect(step()).to.deep.equal([3, 2]);
    rmSync(at('fail'));
    expect(step()).to.deep.equal([0, 3]);
    utimesSync(at('sources/below/a.ts'), 0, 0);
    expect(step()).to.deep.equal([0, 3]);
    rmSync(at('out'));
    expect(step()).to.deep.equal([0, 4]);
    writeFileSync(at('out'), '');
    rmSync(at('one.json'));
    expect(step()).to.deep.equal([0, 5]);
    expect(step()).to.deep.equal([0, 6]);
  });
});
