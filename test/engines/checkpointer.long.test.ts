import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startCheckpointer } from '../../infrastructure/sqlite/checkpointer.js';
import { openDatabase } from '../../infrastructure/sqlite/database.js';

/** Each commit; with so many, the write-ahead log comes to be larger than what the checkpointer wants to empty. */
const COMMIT_BYTES = 400_000;
const COMMITS = 300;
const LONGEST_MS = 2_500;

describe('the checkpointer', () => {
  it('lets writers go on while a backup, or whoever reads for long, keeps it from emptying a log', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'suuq-checkpointer-'));
    const file = join(folder, 'work.db');
    const writer = openDatabase(file);
    writer.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)');
    const reader = openDatabase(file, { readonly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM notes').get();
    const failures: Error[] = [];
    const checkpointer = startCheckpointer([file], (error) => failures.push(error));
    const insert = writer.prepare('INSERT INTO notes (text) VALUES (?)');
    let longest = 0;
    for (let n = 0; n < COMMITS; n += 1) {
      const began = performance.now();
      insert.run(['x'.repeat(COMMIT_BYTES)]);
      longest = Math.max(longest, performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await checkpointer.stop();
    reader.close();
    writer.close();
    rmSync(folder, { recursive: true, force: true });
    expect(failures).to.deep.equal([]);
    expect(longest).to.be.lessThan(LONGEST_MS);
  });
});
