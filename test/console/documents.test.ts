/** The stepper: documents folded from the log, step by step, in bounded time. */
import { expect } from 'chai';
import { type DocumentLog, documentSteps, streamsOf } from '../../application/console/documentSteps.js';
import type { DomainEvent } from '../../domain/decider.js';
import { defineProjection } from '../../engine/projections/projection.js';
import { delaying } from '../support/doubles/blockedCalls.js';
import { recorded } from '../support/spec/documentsAfter.js';
import { memoryLog } from '../support/spec/memoryLog.js';
import { ORDER, OTHER_ORDER, signedIn } from '../support/stages/consoleStage.js';

interface Named<T extends string> extends DomainEvent {
  readonly type: T;
  readonly data: { readonly name: string };
}
type Counted = Named<'Added'> | Named<'Taken'> | Named<'Broken'>;

/** Counts names on a shelf. Each shelf has two streams of events. */
const shelf = defineProjection<{ count: number }, Counted>({
  name: 'shelf',
  version: 1,
  categories: ['added', 'taken'],
  keys: {},
  indexes: [],
  on: {
    Added: {
      ids: ({ streamId, data }) => [`${streamId}/${data.name}`],
      evolve: (view) => ({ keys: {}, body: { count: (view?.body.count ?? 0) + 1 } }),
    },
    Taken: {
      ids: ({ streamId, data }) => [`${streamId}/${data.name}`],
      evolve: (view) => (view!.body.count === 1 ? undefined : { keys: {}, body: { count: view!.body.count - 1 } }),
    },
    Broken: {
      ids: ({ streamId, data }) => [`${streamId}/${data.name}`],
      evolve() {
        throw new Error('no such shelf');
      },
    },
  },
});

const event = (type: Counted['type'], name = 'pen'): Counted => ({ type, data: { name } });
const log = memoryLog(
  recorded<Counted>([
    ['added-s1', event('Added')],
    ['added-s2', event('Added')],
    ['added-s1', event('Added', 'ink')],
    ['added-s1', event('Added')],
    ['taken-s1', event('Taken')],
    ['taken-s1', event('Broken')],
    ['added-s1', event('Added')],
    ['taken-s1', event('Taken')],
    ['taken-s1', event('Taken')],
  ]),
);
const of = { projection: shelf, id: 's1/pen', streams: streamsOf(shelf, 's1/pen'), limit: 100 };
const counts = (steps: Awaited<ReturnType<typeof documentSteps>>['steps']) =>
  steps.map(({ document }) => (document?.body as { count: number } | undefined)?.count);

describe('a document step by step', () => {
  it('contains the events of all its streams in log order, with the result of each', async () => {
    const { steps, more, bounded } = await documentSteps(log, of);
    expect(steps.map(({ event: { type, position } }) => `${type} ${position}`)).to.deep.equal([
      'Added 0',
      'Added 3',
      'Taken 4',
      'Broken 5',
      'Added 6',
      'Taken 7',
      'Taken 8',
    ]);
    expect(counts(steps)).to.deep.equal([1, 2, 1, 1, 2, 1, undefined]);
    expect(steps[3]!.error).to.equal('no such shelf');
    expect([more, bounded]).to.deep.equal([false, false]);
  });

  it('is returned in pages, each with the previous document', async () => {
    const first = await documentSteps(log, { ...of, limit: 2 });
    expect([counts(first.steps), first.before, first.more]).to.deep.equal([[1, 2], undefined, true]);
    const next = await documentSteps(log, { ...of, from: 2, limit: 2 });
    expect([counts(next.steps), next.before?.body, next.more]).to.deep.equal([[1, 1], { count: 2 }, true]);
    const last = await documentSteps(log, { ...of, from: 6, limit: 2 });
    expect([counts(last.steps), last.more]).to.deep.equal([[undefined], false]);
  });

  it('is found in the whole log if its id names no stream', async () => {
    const { steps } = await documentSteps(log, { projection: shelf, id: 's2/pen', limit: 10 });
    expect(counts(steps)).to.deep.equal([1]);
  });

  it('shows no event after one that it missed because of a concurrent append', async () => {
    const grows = memoryLog(log.events);
    const current = delaying<DocumentLog, 'readStream'>(grows, 'readStream', (stream: string) => stream === 'taken-s1');
    const stepping = documentSteps(current.store, of);
    await current.reached;
    const { meta } = log.events[0]!;
    await grows.append('added-s1', 'any', [{ id: 'new 1', ...event('Added'), meta }]);
    await grows.append('taken-s1', 'any', [{ id: 'new 2', ...event('Taken'), meta }]);
    current.release();
    expect((await stepping).steps.map(({ event: { position } }) => position)).to.deep.equal([0, 3, 4, 5, 6, 7, 8]);
  });

  it('ends at the limit of a request, and reports it', async () => {
    const [one] = recorded<Counted>([['added-s1', event('Added', 'ink')]]);
    let pages = 0;
    const endless: DocumentLog = {
      head: async () => 1_000_000,
      readStream: async () => [],
      readAll: async (after, { limit = 1 } = {}) => {
        pages += 1;
        const events = Array.from({ length: limit }, (_, i) => ({ ...one!, position: after + 1 + i }));
        return { events, through: after + limit, end: false };
      },
    };
    const { steps, bounded, seen } = await documentSteps(endless, { projection: shelf, id: 's1/pen', limit: 10 });
    expect([steps.length, bounded, seen]).to.deep.equal([0, true, 20_000]);
    expect(pages).to.be.at.most(41);
  });
});

describe('the stepper', () => {
  const on = signedIn();

  it('steps through a stored document', async () => {
    const listed = (await on.stage.read(on.operator, '/api/projections/orders/documents')).body;
    expect(listed.ids).to.include(ORDER);
    const { body } = await on.stage.read(on.operator, `/api/projections/orders/steps?document=${ORDER}`);
    expect(body.steps.map(({ document }: { document: { body: { status: string } } }) => document.body.status)).to.eql([
      'new',
      'cancelled',
    ]);
    expect([body.more, body.bounded, body.differs]).to.deep.equal([false, false, undefined]);
    expect(body.streams).to.include(`order-${ORDER}`);
  });

  it('shows where the stored document differs from its events', async () => {
    const { views } = on.stage;
    const path = `/api/projections/orders/steps?document=${OTHER_ORDER}`;
    const differs = async () => (await on.stage.read(on.operator, path)).body.differs;
    expect(await differs()).to.equal(undefined);
    const stored = (await views.get<object>('orders', OTHER_ORDER))!;
    const { id, keys, revision, body } = stored;
    await views.replace('orders', revision, { id, keys, revision, body: { ...body, status: 'paid' } });
    expect(await differs()).to.equal(true);
  });

  it('reports what does not exist', async () => {
    for (const path of ['nothing/steps?document=x', 'orders/steps?document=x', 'orders/steps', 'nothing/documents'])
      expect((await on.stage.read(on.operator, `/api/projections/${path}`)).body.code, path).to.equal('not_found');
  });

  it('shows no hash of a token, and nothing to store members', async () => {
    const path = `/api/projections/consoleSessions/steps?document=${on.operator.sessionId}`;
    const { text, status } = await on.stage.read(on.auditor, path);
    expect([status, /[0-9a-f]{64}/.test(text)]).to.deep.equal([200, false]);
    expect((await on.stage.read(on.shop, path)).body.code).to.equal('permission_denied');
    expect((await on.stage.read(on.shop, '/api/projections/orders/documents')).body.code).to.equal('permission_denied');
    const reads = await on.stage.eventStore.readStream(`consoleReads-${on.auditor.sessionId}`);
    expect(reads.at(-1)!.data).to.include({ operation: 'console.getDocumentSteps' });
  });
});
