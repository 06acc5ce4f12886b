import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startCheckpointer } from '../../infrastructure/sqlite/checkpointer.js';
import { openDatabase } from '../../infrastructure/sqlite/database.js';
import { until } from '../support/tools/until.js';

/** Each commit; with so many, the write-ahead log comes to be larger than what the checkpointer wants to empty. */
const COMMIT_BYTES = 400_000;
const COMMITS = 300;
const LONGEST_MS = 2_500;
/** Commits after which the log is emptied, and not yet by a commit itself. */
const TO_BE_EMPTIED = 200;
const LITTLE_COMMITS = 40;
const LITTLE_MS = 50;

describe('the checkpointer', () => {
  it('lets writers continue while a backup or a long read keeps it from emptying a log', async () => {
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

  it('moves the log of a file created later, next to one that is never moved', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'suuq-checkpointer-'));
    const file = join(folder, 'history.db');
    const failures: Error[] = [];
    const checkpointer = startCheckpointer([join(folder, 'none.db'), file], (error) => failures.push(error));
    const writer = openDatabase(file);
    writer.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)');
    const insert = writer.prepare('INSERT INTO notes (text) VALUES (?)');
    const write = (): number => insert.run(['x'.repeat(COMMIT_BYTES)]);
    for (let n = 0; n < TO_BE_EMPTIED; n += 1) write();
    await until('the log is empty', () => statSync(`${file}-wal`).size === 0);
    await checkpointer.stop();
    writer.close();
    const names = readdirSync(folder).filter((name) => name.startsWith('none'));
    rmSync(folder, { recursive: true, force: true });
    expect(failures).to.deep.equal([]);
    expect(names).to.deep.equal([]);
  });

  it('does not flush a log five times a second that was long once and grows slowly', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'suuq-checkpointer-'));
    const file = join(folder, 'work.db');
    const failures: Error[] = [];
    const writer = openDatabase(file);
    writer.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)');
    const insert = writer.prepare('INSERT INTO notes (text) VALUES (?)');
    const size = (): number => statSync(file).size;
    const before = size();
    for (let n = 0; n < 30; n += 1) insert.run(['x'.repeat(COMMIT_BYTES)]);
    const checkpointer = startCheckpointer([file], (error) => failures.push(error));
    await until('the long log is moved', () => size() > before + 29 * COMMIT_BYTES);
    const moves = new Set<number>();
    for (let n = 0; n < LITTLE_COMMITS; n += 1) {
      insert.run(['little']);
      await new Promise((resolve) => setTimeout(resolve, LITTLE_MS));
      moves.add(statSync(file).mtimeMs);
    }
    await checkpointer.stop();
    writer.close();
    rmSync(folder, { recursive: true, force: true });
    expect(failures).to.deep.equal([]);
    expect(moves.size, 'moves seen in two seconds').to.be.lessThan(3);
  });
});
