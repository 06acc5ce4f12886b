import { expect } from 'chai';
import { Closed } from '../../api/contract/schemas.js';
import { Type } from '../../api/contract/type.js';
import type { LargeBodyRequest } from '../../api/http/input/bodyThread.js';
import { type LargeBodies, largeBodies } from '../../api/http/input/largeBodies.js';
import { bodyCheck } from '../../api/http/input/validation.js';
import { DomainError } from '../../domain/decider.js';

const NOTES = Closed({
  notes: Type.Array(
    Closed({ title: Type.String({ maxLength: 5 }), kind: Type.Optional(Type.String({ default: 'plain' })) }),
  ),
});
const notes = (titles: readonly string[]): string => JSON.stringify({ notes: titles.map((title) => ({ title })) });

const compileBody = () => bodyCheck(NOTES, false).fits;

describe('large bodies', () => {
  let bodies: LargeBodies;
  beforeEach(() => {
    bodies = largeBodies();
  });
  afterEach(() => bodies.close());
  const check = (text: string | Buffer, more: Partial<LargeBodyRequest> = {}) =>
    bodies.check({
      who: 'a',
      operation: 'writeNotes',
      schema: () => NOTES,
      bytes: Buffer.from(text),
      limit: 1_000_000,
      ...more,
    });
  const refusal = async (text: string | Buffer): Promise<string> => {
    const error = await check(text).catch((one) => one as DomainError);
    return error instanceof DomainError ? `${error.code} ${error.problems[0]?.message ?? ''}` : 'taken';
  };

  it('are checked like small ones, and get their defaults', async () => {
    const body = await check(notes(['Milk', 'Bread']));
    const kind = 'plain';
    expect(body.value).to.deep.equal({
      notes: [
        { title: 'Milk', kind },
        { title: 'Bread', kind },
      ],
    });
    const { problems } = await check('{"notes":[{"title":"too long"},{"title":"\\u0000","more":1}]}');
    expect(problems.map(({ location, message }) => `${location} ${message}`)).to.deep.equal([
      'body.notes[1].title must not contain the character NUL (U+0000)',
      'body.notes[0].title must have at most 5 characters',
      'body.notes[1].more is not a known property',
    ]);
  });

  it('that are undeclared or not JSON are rejected', async () => {
    expect(await refusal('{"notes":')).to.equal('malformed_body ');
    expect(await refusal(Buffer.from([0x22, 0xff, 0x22]))).to.equal('malformed_body ');
    expect(await refusal('['.repeat(20_000))).to.equal('validation_failed is nested deeper than 64 levels');
    expect(await refusal(`[${'0,'.repeat(40_000)}0]`)).to.equal('validation_failed has more than 31250 values');
  });

  it('are the same whether parsed in the thread or not, and their problems are reported by the thread', async () => {
    const fits = compileBody();
    const titles = Array.from({ length: 3000 }, (_, n) => `n${n % 1000}`);
    const elsewhere = await check(notes(titles));
    expect(await check(notes(titles), { fits })).to.deep.equal(elsewhere);
    const { problems } = await check(notes([...titles, 'too long']), { fits });
    expect(problems.map(({ location }) => location)).to.deep.equal(['body.notes[3000].title']);
    const refused = await check(`${notes(titles)}]`, { fits }).catch((one) => one as DomainError);
    expect(refused).to.include({ code: 'malformed_body' });
  });

  it('of several callers are parsed in turn, however many one of them sends', async () => {
    const order: string[] = [];
    const send = (who: string) => check(notes(['Milk']), { who }).then(() => void order.push(who));
    await Promise.all([...Array.from({ length: 20 }, () => send('a')), send('b'), send('c'), send('b')]);
    expect(order.indexOf('b'), order.join('')).to.be.below(4);
    expect(order.indexOf('c')).to.be.below(5);
    expect(order.lastIndexOf('b')).to.be.below(8);
  });

  it('continue after one that crashed the thread', async () => {
    const broken = await check('{}', { operation: 'broken', schema: () => ({ type: 'no such type' }) }).catch(
      (error) => error as Error,
    );
    expect(broken).to.be.instanceOf(Error).and.not.instanceOf(DomainError);
    // This check never ends, so the thread is busy when it is terminated.
    const endless = Closed({ title: Type.String({ pattern: '^(a+)+$' }) });
    const dying = check(`{"title":"${'a'.repeat(60)}!"}`, { operation: 'endless', schema: () => endless });
    await bodies.close();
    expect(await dying.catch((error) => error)).to.be.instanceOf(Error);
    expect((await check(notes(['Milk']))).problems).to.deep.equal([]);
  });
});
