/** The driver of the embedded files: effects of a write whose number of changed rows is not read. */
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../../harness/service/serviceProcess.js';
import { codeOf, type Db, openDatabase } from '../../infrastructure/sqlite/database.js';

const codeIn = (work: () => void): string => {
  try {
    work();
  } catch (error) {
    return codeOf(error);
  }
  return '';
};

describe('the driver of embedded files', () => {
  const folder = temporaryFolder('suuq-database-');
  const open = (): Db => openDatabase(join(folder.path, 'one.db'));
  let [db, other]: Db[] = [];

  before(() => {
    db = open();
    db.exec('CREATE TABLE words (word TEXT PRIMARY KEY NOT NULL, length INTEGER)');
    other = open();
  });
  after(() => {
    db?.close();
    other?.close();
    folder.remove();
  });

  const words = (): unknown => other!.prepare('SELECT group_concat(word, length) FROM words ORDER BY word').get()![0];

  it('has written all of its rows when it returns, visible to other connections', () => {
    const insert = db!.prepare('INSERT INTO words VALUES (?, ?)');
    for (const word of ['bun', 'rice', 'tea']) insert.write([word, 1]);
    db!.prepare('UPDATE words SET length = length + 1').write();
    expect(words()).to.equal('bun2rice2tea');
    db!.prepare("DELETE FROM words WHERE word >= 'rice'").write();
    expect(words()).to.equal('bun');
  });

  it('reports errors by code, and continues to write after one', () => {
    const insert = db!.prepare('INSERT INTO words VALUES (?, ?)');
    const again = (): void => insert.write(['bun', 1]);
    expect([codeIn(again), codeIn(again)]).to.deep.equal(Array(2).fill('SQLITE_CONSTRAINT_PRIMARYKEY'));
    insert.write(['rice', 1]);
    expect(words()).to.equal('bun1rice');
  });

  it('is rolled back with its transaction', () => {
    const insert = db!.prepare('INSERT INTO words VALUES (?, ?)');
    const failing = (): unknown =>
      db!.transaction(() => {
        insert.write(['milk', 1]);
        insert.write(['bun', 1]);
      });
    expect(codeIn(failing)).to.equal('SQLITE_CONSTRAINT_PRIMARYKEY');
    expect(words()).to.equal('bun1rice');
    db!.transaction(() => insert.write(['milk', 1]));
    expect(words()).to.contain('milk');
  });
});
