/** Errors of MongoDB's driver and of what lies below it, in the terms of the port. */
import { expect } from 'chai';
import { MongoClientClosedError, MongoError, MongoInvalidArgumentError, MongoServerError } from 'mongodb';
import { DocumentRefused, Fenced, ReadModelError } from '../../engine/ports/documents.js';
import { StoreRefused, StoreUnavailable } from '../../engine/ports/eventStore.js';
import { translated } from '../../infrastructure/mongodb/errors.js';

const coded = (code: string, message: string): Error =>
  Object.assign(new Error(message), { code, syscall: 'querySrv' });
const answer = (code: number, errmsg: string) => new MongoServerError({ code, errmsg, message: errmsg });

describe('an error of MongoDB', () => {
  it('that is unknown, or comes from below the driver, is temporary', () => {
    for (const error of [
      ...['ENOTFOUND', 'ETIMEOUT', 'ESERVFAIL'].map((code) => coded(code, `querySrv ${code} _mongodb._tcp.db.example`)),
      coded('ENOENT', "ENOENT: no such file or directory, open '/certs/ca.crt'"),
      new MongoClientClosedError(),
      new MongoInvalidArgumentError('ClientSession must be from the same MongoClient'),
      new MongoError('a kind of tomorrow'),
      new TypeError('reading a member of undefined'),
      answer(424_242, 'a code of tomorrow'),
      'a text',
    ]) {
      const found = translated(error, 'db:27017');
      expect(found, String(error)).to.be.instanceOf(StoreUnavailable).and.not.instanceOf(StoreRefused);
      expect(found.message).to.include('MongoDB at db:27017');
      expect(found).to.not.have.property('cause');
    }
  });

  it('from a busy, changing or closed server is temporary', () => {
    for (const code of [11, 13, 211, 249, 261, 355, 358, 371, 407, 433, 8_000, 13_388, 16_500])
      expect(translated(answer(code, 'not now'), 'db:27017'), String(code)).to.be.instanceOf(StoreUnavailable);
  });

  it('that the port knows is unchanged', () => {
    const exact = [new Fenced('f'), new ReadModelError('no_index', 'n'), new StoreUnavailable('u')];
    for (const error of exact) expect(translated(error, 'db')).to.equal(error);
    for (const [code, name] of [
      [11_000, 'unique_key_taken'],
      [17_419, 'document_too_large'],
    ] as const)
      expect(translated(answer(code, 'refused'), 'db'))
        .to.be.instanceOf(DocumentRefused)
        .and.have.property('code', name);
  });
});
