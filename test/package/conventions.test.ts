/** How commits and comments are written: the hook that CONTRIBUTING.md describes, and the check of comments in `npm run lint`. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectFolder, temporaryFolder } from '../../harness/service/serviceProcess.js';

describe('conventions', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());

  const commit = (subject: string) => {
    const message = join(folder.path, 'message');
    writeFileSync(message, `${subject}\n\nThe reason.\n`);
    return spawnSync(join(projectFolder, '.githooks/commit-msg'), [message], { encoding: 'utf8' });
  };

  it('accept subjects with an area and a change', () => {
    for (const subject of [
      'orders: Fix 404 on getOrder',
      'read models: Add spot checks',
      'Merge branch x',
      'Revert "a: Add b"',
    ])
      expect(commit(subject).status, subject).to.equal(0);
  });

  it('reject subjects that are long, without an area, or without a verb of change', () => {
    for (const subject of [
      `orders: Fix ${'x'.repeat(61)}`,
      'Fix things',
      'orders: fix it',
      'orders: Let orders be found',
      'orders: Fix',
    ]) {
      const { status, stderr } = commit(subject);
      expect([subject, status]).to.deep.equal([subject, 1]);
      expect(stderr).to.match(/^commit-msg: .*CONTRIBUTING\.md\.\n$/);
    }
  });

  it('list comments that begin with a question word, and words that have a plainer one', () => {
    mkdirSync(join(folder.path, 'room'));
    mkdirSync(join(folder.path, 'test'));
    const parameters =
      'const a = (asked: string) => b;\nconst { c: said } = d;\nfunction e({ f, ...kept }: G, owed?: H) {}\nlist.map((told) => told);\n';
    writeFileSync(join(folder.path, 'room/parameters.ts'), parameters);
    writeFileSync(join(folder.path, 'test/titles.test.ts'), "it('is told once', () => {});\nit('notifies once', f);\n");
    const text =
      "/** Whether it is open. */\nconst a = 'told';\n/** Returns what `told` says. */\n// Kept beside it.\n";
    writeFileSync(join(folder.path, 'room/a.ts'), text);
    writeFileSync(join(folder.path, 'room/owed.ts'), '');
    const script = join(projectFolder, 'scripts/checkEnglish.mjs');
    const { status, stderr } = spawnSync(process.execPath, [script, 'room', 'test'], {
      cwd: folder.path,
      encoding: 'utf8',
    });
    expect(status).to.equal(1);
    expect(stderr.trim().split('\n').slice(0, -1)).to.have.members([
      "room/a.ts:1: begins with 'Whether'",
      "room/a.ts:3: 'says'",
      "room/a.ts:4: 'Kept'",
      "room/a.ts:4: 'beside'",
      'room/owed.ts: name of the file',
      "room/parameters.ts:1: name 'asked'",
      "room/parameters.ts:2: name 'said'",
      "room/parameters.ts:3: name 'kept'",
      "room/parameters.ts:3: name 'owed'",
      "room/parameters.ts:4: name 'told'",
      "test/titles.test.ts:1: 'told' in a title",
    ]);
  });
});
