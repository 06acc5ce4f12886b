import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { guardFlags } from '../../harness/service/checkedFlags.js';
import { temporaryFolder } from '../../harness/service/serviceProcess.js';

const database = new URL('../../infrastructure/sqlite/database.js', import.meta.url).href;

/** Prints the name of each way to open a file that was refused. */
const PROGRAM = `
  import fs, { closeSync, copyFileSync, cpSync, createReadStream, openSync, readFileSync } from 'node:fs';
  import { open, readFile } from 'node:fs/promises';
  import { openDatabase } from '${database}';
  const file = process.cwd() + '/work.db';
  const db = openDatabase(file);
  db.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY)');
  const ways = {
    openSync: () => closeSync(openSync(file + '-shm')), named: () => fs.readFileSync(file), readFileSync: () => readFileSync(file),
    copyFileSync: () => copyFileSync(file, file + '.copy'), createReadStream: () => createReadStream('work.db'),
    cpSync: () => cpSync(process.cwd(), process.cwd() + '-copy', { recursive: true }),
    open: async () => (await open(new URL('file://' + file))).close(), readFile: () => readFile(file + '-wal'),
  };
  for (const [name, way] of Object.entries(ways))
    try { await way(); } catch (error) { if (/drop its locks/.test(error.message)) console.log(name); }
  db.close();
  console.log(readFileSync(file).length > 0 ? 'read after it was closed' : 'empty');
`;

describe('database files that SQLite has open in the same process', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());

  it('are opened by nothing else in services and commands that tests start', function () {
    // The guard looks into /proc.
    if (process.platform !== 'linux') this.skip();
    const { stdout, stderr } = spawnSync(process.execPath, [...guardFlags, '--input-type=module', '--eval', PROGRAM], {
      cwd: folder.path,
      encoding: 'utf8',
    });
    const refused = [
      'openSync',
      'named',
      'readFileSync',
      'copyFileSync',
      'createReadStream',
      'cpSync',
      'open',
      'readFile',
    ];
    expect(stdout.trim().split('\n'), stderr).to.deep.equal([...refused, 'read after it was closed']);
  });
});
