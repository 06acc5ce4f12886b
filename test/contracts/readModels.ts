/** The contract of every engine of the DocumentStore port. An engine's test runs it in a few lines. */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  type CollectionDefinition,
  type DocumentStore,
  type Fence,
  Fenced,
  type NewDocument,
  type Query,
  type Scalar,
} from '../../engine/ports/documents.js';
import { BEFORE_ALL } from '../../engine/ports/eventStore.js';
import { refusal } from '../support/spec/refusal.js';

export interface OpenedReadModels {
  readonly models: DocumentStore;
  /** Another connection to the same data, like that of another thread or instance. */
  another(): Promise<DocumentStore>;
  /**
   * Set if text is compared by UTF-16 units, as in the emulator of a server. Every server and the embedded engine
   * compare UTF-8 bytes.
   */
  readonly textOrder?: 'utf-16';
  close(): Promise<void>;
}

const orders: CollectionDefinition = {
  name: 'orders',
  keys: { workspaceId: 'text', status: 'text', createdAt: 'number', number: 'number' },
  indexes: [
    { keys: ['workspaceId', '-createdAt'] },
    { keys: ['workspaceId', 'status', '-createdAt'] },
    { keys: ['workspaceId', 'number'], unique: true },
  ],
};

const order = (id: string, revision: number, keys: Partial<Record<string, Scalar>> = {}, body: unknown = { id }) =>
  ({
    id,
    revision,
    body,
    keys: { workspaceId: 'w1', status: 'new', createdAt: revision, number: null, ...keys },
  }) as NewDocument;

/** Ids of all pages of 'mixed', read one after another. */
async function allPages(
  models: DocumentStore,
  groups: readonly string[],
  sort: readonly string[],
  limit: number,
): Promise<string[]> {
  const ids: string[] = [];
  let after: Scalar[] | undefined;
  for (;;) {
    const found = await models.find('mixed', {
      where: { group: { in: groups } },
      sort,
      limit,
      ...(after && { after }),
    });
    ids.push(...found.map(({ id }) => id));
    if (found.length < limit) return ids;
    const last = found.at(-1)!;
    after = [...sort.map((by) => last.keys[by.replace('-', '')]!), last.id];
  }
}

export function readModelsContract(name: string, open: () => Promise<OpenedReadModels>): void {
  describe(`read models: ${name}`, () => {
    let opened: OpenedReadModels;
    let models: DocumentStore;
    beforeEach(async () => {
      opened = await open();
      models = opened.models;
      await models.open(orders);
    });
    afterEach(() => opened.close());

    const put = (...documents: NewDocument[]) => models.write({ orders: { put: documents } });
    const idsOf = (found: readonly { id: string }[]) => found.map(({ id }) => id);

    describe('documents', () => {
      it('are read back with keys, revision, body and the exact JSON', async () => {
        const body = { text: 'سلام 🧃 – ñ', cents: 2 ** 53, list: [1, null, { a: -0.5 }] };
        await put(order('a', 2 ** 53, { createdAt: 2 ** 53, status: '🧃' }, body));
        const found = (await models.get<typeof body>('orders', 'a'))!;
        expect(found.body).to.deep.equal(body);
        expect(found.json).to.equal(JSON.stringify(body));
        expect(found.revision).to.equal(2 ** 53);
        expect(found.keys).to.deep.equal({ workspaceId: 'w1', status: '🧃', createdAt: 2 ** 53, number: null });
        expect(await models.get('orders', 'b')).to.equal(undefined);
      });

      it('keep the higher revision, so that a batch applied twice or late changes nothing', async () => {
        await put(order('a', 5, {}, { at: 5 }));
        await put(order('a', 5, {}, { at: 'again' }), order('a', 4, {}, { at: 4 }));
        expect((await models.get('orders', 'a'))!.body).to.deep.equal({ at: 5 });
        await put(order('a', 6, {}, { at: 6 }));
        expect((await models.get('orders', 'a'))!.body).to.deep.equal({ at: 6 });
      });

      it('are found by their keys whatever the writer knew of existing ones', async () => {
        const find = async (status: string) =>
          idsOf(await models.find('orders', { where: { workspaceId: 'w1', status }, sort: ['-createdAt'], limit: 9 }));
        for (const [at, existing] of (['sameKeys', 'none', undefined] as const).entries()) {
          const [id, revision] = [`o${at}`, 10 * at];
          const write = (after: number, status: string) =>
            put({ ...order(id, revision + after, { status, createdAt: revision }, { after }), existing });
          // Cases: no stored document, one with the same keys, one with other keys, and a newer one.
          await write(1, `first ${at}`);
          expect(await find(`first ${at}`)).to.deep.equal([id]);
          await write(2, `first ${at}`);
          await write(3, `then ${at}`);
          await write(2, `first ${at}`);
          expect([await find(`first ${at}`), await find(`then ${at}`)]).to.deep.equal([[], [id]]);
          expect((await models.get('orders', id))!.body).to.deep.equal({ after: 3 });
        }
      });

      it('are removed unless newer, once or twice', async () => {
        await put(order('a', 5), order('b', 5));
        const remove = [
          { id: 'a', revision: 4 },
          { id: 'b', revision: 6 },
        ];
        await models.write({ orders: { remove } });
        await models.write({ orders: { remove } });
        expect([...(await models.getMany('orders', ['a', 'b'])).keys()]).to.deep.equal(['a']);
      });

      it('in both put and remove follow the higher revision', async () => {
        await models.write({ orders: { put: [order('a', 7)], remove: [{ id: 'a', revision: 6 }] } });
        await models.write({ orders: { put: [order('b', 6)], remove: [{ id: 'b', revision: 7 }] } });
        expect([...(await models.getMany('orders', ['a', 'b'])).keys()]).to.deep.equal(['a']);
      });

      it('are read by a thousand ids at once', async () => {
        const ids = Array.from({ length: 1000 }, (_, i) => `id-${i}`);
        await put(...ids.filter((_, i) => i % 3 === 0).map((id, i) => order(id, i + 1)));
        const found = await models.getMany<{ id: string }>('orders', [...ids, ...ids]);
        expect(found.size).to.equal(334);
        expect(found.get('id-999')!.body).to.deep.equal({ id: 'id-999' });
      });

      it('with an undeclared key or a key of the wrong type are rejected', async () => {
        expect((await refusal(put(order('a', 1, { colour: 'red' })))).message).to.include('colour');
        expect((await refusal(put(order('a', 1, { status: 3 })))).message).to.include('status');
        expect(await models.get('orders', 'a')).to.equal(undefined);
      });
    });

    describe('write', () => {
      it('accepts several collections and the checkpoint', async () => {
        await models.open({ ...orders, name: 'others' });
        const at = { name: 'p', position: 41 };
        await models.write({ orders: { put: [order('a', 1)] }, others: { put: [order('b', 1)] } }, at);
        expect(await models.get('others', 'b')).to.not.equal(undefined);
        expect(await models.checkpoint('p')).to.equal(41);
        await models.write({}, { name: 'p', position: 42 });
        expect(await models.checkpoint('p')).to.equal(42);
        await models.dropCheckpoint('p');
        expect(await models.checkpoint('p')).to.equal(BEFORE_ALL);
      });

      it('leaves the checkpoint unchanged on failure', async () => {
        await put(order('a', 1, { number: 1 }));
        const twice = { orders: { put: [order('b', 2, { number: 1 })] } };
        await refusal(models.write(twice, { name: 'p', position: 2 }));
        expect(await models.checkpoint('p')).to.equal(BEFORE_ALL);
        expect(await models.get('orders', 'b')).to.equal(undefined);
      });

      it('moves many checkpoints to one position, also missing ones, and none back with several owners', async () => {
        const mark = { stream: 'order-1', revision: 0, id: 'e1', position: 4 };
        const to = (position: number, ...names: string[]) => names.map((name) => ({ name, position, mark }));
        const ahead = models.writeAll === undefined ? 7 : 9;
        await models.write({}, ...to(ahead, 'b'));
        await models.write({}, ...to(5, 'a', 'b'));
        await models.write({}, ...to(7, 'a', 'b'));
        const placed = async (): Promise<unknown> => [...(await models.checkpoints(['a', 'b', 'c']))];
        expect(await placed()).to.deep.equal([
          ['a', 7],
          ['b', ahead],
          ['c', BEFORE_ALL],
        ]);
        await models.write({}, ...to(12, 'a', 'b', 'c'));
        expect(await placed()).to.deep.equal([
          ['a', 12],
          ['b', 12],
          ['c', 12],
        ]);
        expect((await models.marks(['a', 'c'])).get('a')).to.deep.equal(mark);
      });

      it('returns several checkpoints at once', async () => {
        await models.write({}, { name: 'p', position: 7 }, { name: 'q', position: 9 });
        const found = await models.checkpoints(['p', 'q', 'never']);
        expect([...found]).to.have.deep.members([
          ['p', 7],
          ['q', 9],
          ['never', BEFORE_ALL],
        ]);
      });
    });

    describe('marks', () => {
      const mark = (position: number) => ({ stream: 'order-1', revision: position, id: `event-${position}`, position });

      it('are those written with the checkpoints', async () => {
        await models.write({}, { name: 'p', position: 7, mark: mark(6) }, { name: 'q', position: 9 });
        expect([...(await models.marks(['p', 'q', 'never']))]).to.deep.equal([['p', mark(6)]]);
        await models.write({ orders: { put: [order('a', 1)] } }, { name: 'p', position: 12, mark: mark(10) });
        expect([...(await models.marks(['p', 'q']))]).to.deep.equal([['p', mark(10)]]);
      });

      it('are removed when the checkpoint was moved without one, or dropped', async () => {
        await models.write({}, { name: 'p', position: 7, mark: mark(6) }, { name: 'q', position: 9, mark: mark(9) });
        await models.write({}, { name: 'p', position: 8 });
        await models.dropCheckpoint('q');
        expect([...(await models.marks(['p', 'q']))]).to.deep.equal([]);
      });

      it('are written by owners', async () => {
        await models.claim({ name: 'p', fence: 1 });
        await models.write({}, { name: 'p', fence: 1, position: 100, mark: mark(100) });
        const one = { name: 'p', fence: 1, position: 1000, mark: mark(1000) };
        await models.write({}, one, { name: 'q', position: 3, mark: mark(3) });
        expect(await models.claim({ name: 'p', fence: 2 })).to.equal(1000);
        expect((await models.marks(['p', 'q'])).get('p')).to.deep.equal(mark(1000));
      });
    });

    describe('claim', () => {
      const first = { name: 'p', fence: 1 };
      const second = { name: 'p', fence: 2 };

      it('returns the position, and its owner can write', async () => {
        expect(await models.claim(first)).to.equal(BEFORE_ALL);
        await models.write({ orders: { put: [order('a', 1)] } }, { ...first, position: 5 });
        await models.write({ orders: { put: [order('b', 2)] } }, first);
        expect(await models.claim(second)).to.equal(5);
        await models.write({ orders: { put: [order('a', 3)] } }, { ...second, position: 6 });
        expect((await models.get('orders', 'a'))!.revision).to.equal(3);
        expect(await models.checkpoint('p')).to.equal(6);
      });

      it('rejects the previous owner, who changes nothing more', async () => {
        await models.claim(first);
        await models.write({ orders: { put: [order('a', 1)] } }, { ...first, position: 5 });
        await models.claim(second, ['orders']);
        const late = { orders: { put: [order('a', 9), order('new', 9)], remove: [{ id: 'a', revision: 9 }] } };
        expect(await refusal(models.write(late, { ...first, position: 9 }))).to.be.instanceOf(Fenced);
        expect(await refusal(models.write(late, first))).to.be.instanceOf(Fenced);
        expect(await refusal(models.claim(first))).to.be.instanceOf(Fenced);
        expect((await models.get('orders', 'a'))!.revision).to.equal(1);
        expect(await models.get('orders', 'new')).to.equal(undefined);
        expect(await models.checkpoint('p')).to.equal(5);
      });
    });

    describe('claim of some documents', () => {
      const [first, second, other] = [
        { name: 'p.1', fence: 1 },
        { name: 'p.1', fence: 2 },
        { name: 'p.2', fence: 1 },
      ];

      it('holds in a combined write of several owners', async () => {
        const { writeAll } = models;
        if (writeAll === undefined) return;
        const write = (fence: Fence, ...put: NewDocument[]) => ({ batches: { orders: { put } }, checkpoints: [fence] });
        await writeAll([write(first, order('a', 1)), write(other, order('b', 1), order('c', 1))]);
        await models.claim(second, [{ collection: 'orders', where: { workspaceId: 'w1', status: 'new' } }]);
        const late = writeAll([write(other, order('b', 9)), write(first, order('a', 9))]);
        expect(await refusal(late)).to.be.instanceOf(Fenced);
        expect((await models.get('orders', 'a'))!.revision).to.equal(1);
        expect((await models.get('orders', 'b'))!.revision).to.equal(1);
        // Each document has its own owner's mark. If one write is late, the other owner's mark still counts.
        const gone = { batches: { orders: { remove: [{ id: 'a', revision: 2 }] } }, checkpoints: [second] };
        await writeAll([{ ...write(other, order('d', 1)), checkpoints: [{ ...other, position: 7 }] }, gone]);
        expect(await models.get('orders', 'a')).to.equal(undefined);
        expect((await models.get('orders', 'd'))!.revision).to.equal(1);
        expect([await models.checkpoint('p.1'), await models.checkpoint('p.2')]).to.deep.equal([BEFORE_ALL, 7]);
      });

      it('does not affect documents of other owners', async () => {
        const some = (status: string) => [{ collection: 'orders', where: { workspaceId: 'w1', status } }];
        await models.write({ orders: { put: [order('a', 1)] } }, first);
        await models.write({ orders: { put: [order('b', 2, { status: 'paid' })] } }, other);
        await models.claim(second, some('new'));
        const late = { orders: { put: [order('a', 9)] } };
        expect(await refusal(models.write(late, first))).to.be.instanceOf(Fenced);
        await models.write({ orders: { put: [order('b', 3, { status: 'paid' })] } }, other);
        expect((await models.get('orders', 'a'))!.revision).to.equal(1);
        expect((await models.get('orders', 'b'))!.revision).to.equal(3);
      });
    });

    describe('find', () => {
      it('supports equality, in and range, sorted', async () => {
        await put(
          order('a', 1),
          order('b', 2, { status: 'paid' }),
          order('c', 3),
          order('d', 4, { workspaceId: 'w2' }),
        );
        const where = { workspaceId: 'w1' };
        const sort = ['-createdAt'];
        expect(idsOf(await models.find('orders', { where, sort, limit: 9 }))).to.deep.equal(['c', 'b', 'a']);
        const paid = { ...where, status: 'paid' };
        expect(idsOf(await models.find('orders', { where: paid, sort, limit: 9 }))).to.deep.equal(['b']);
        const either = { ...where, status: { in: ['paid', 'new', 'paid'] } };
        expect(idsOf(await models.find('orders', { where: either, sort, limit: 2 }))).to.deep.equal(['c', 'b']);
        const between = { ...where, createdAt: { gt: 1, lte: 2 } };
        expect(idsOf(await models.find('orders', { where: between, sort, limit: 9 }))).to.deep.equal(['b']);
        const none = { ...where, status: { in: [] } };
        expect(await models.find('orders', { where: none, sort, limit: 9 })).to.deep.equal([]);
        expect(await models.count('orders', either, 9)).to.equal(3);
        expect(await models.count('orders', where, 2)).to.equal(2);
      });

      it('returns at least the requested keys and the sort keys', async () => {
        await put(order('a', 1, { status: 'paid' }), order('b', 2));
        const requested: Query = { where: { workspaceId: 'w1' }, sort: ['-createdAt'], limit: 9 };
        const all = await models.find('orders', requested);
        for (const keys of [[], ['status'], ['status', 'createdAt']]) {
          const found = await models.find('orders', { ...requested, keys });
          expect(found.map(({ id, revision, json }) => [id, revision, json])).to.deep.equal(
            all.map(({ id, revision, json }) => [id, revision, json]),
          );
          for (const [i, row] of found.entries())
            for (const key of [...keys, 'createdAt']) expect(row.keys[key]).to.equal(all[i]!.keys[key]);
        }
      });

      it('returns numbers exactly as written, and continues from them', async () => {
        // Times in ms with a fraction, as in tasks recorded in the same ms. They have more digits than a JSON number of
        // SQLite.
        const noon = 1_772_352_000_000;
        // No time is a whole number, because the emulator of MongoDB compares whole numbers with others wrongly.
        const times = [-3, 1, 2, 2050, 8193].map((parts) => noon + parts / 4096);
        await put(...times.map((createdAt, i) => order(`o${i}`, 1, { createdAt })));
        const requested: Query = { where: { workspaceId: 'w1' }, sort: ['-createdAt'], limit: 9 };
        const all = await models.find('orders', requested);
        expect(all.map(({ keys }) => keys.createdAt)).to.deep.equal(times.toReversed());
        expect((await models.get('orders', 'o3'))!.keys.createdAt).to.equal(times[3]);
        expect((await models.getMany('orders', ['o2'])).get('o2')!.keys.createdAt).to.equal(times[2]);
        for (const [i, { keys, id }] of all.entries()) {
          const next = await models.find('orders', { ...requested, after: [keys.createdAt!, id] });
          expect(next.map((one) => one.id)).to.deep.equal(all.slice(i + 1).map((one) => one.id));
        }
      });

      it('lists by id without conditions', async () => {
        await put(order('b', 1), order('a', 2), order('c', 3));
        expect(idsOf(await models.find('orders', { limit: 2 }))).to.deep.equal(['a', 'b']);
        expect(idsOf(await models.find('orders', { after: ['b'], limit: 2 }))).to.deep.equal(['c']);
      });

      it('rejects what no index serves, undeclared keys, undefined values and invalid limits', async () => {
        const wrong: Query[] = [
          { where: { status: 'new' }, limit: 5 },
          { where: { workspaceId: 'w1' }, sort: ['status'], limit: 5 },
          { where: { workspaceId: 'w1' }, sort: ['colour'], limit: 5 },
          { where: { colour: 'red' }, limit: 5 },
          { where: { workspaceId: 'w1' }, sort: ['-createdAt'], limit: 5, keys: ['colour'] },
          { where: { workspaceId: undefined as unknown as string }, limit: 5 },
          { where: { workspaceId: 'w1' }, sort: ['-createdAt'], after: ['x'], limit: 5 },
          { limit: 0 },
          { limit: 1.5 },
        ];
        for (const query of wrong) await refusal(models.find('orders', query));
      });

      it('keeps pages stable while documents are added and removed', async () => {
        await put(...Array.from({ length: 40 }, (_, i) => order(`o${i}`, i + 1, { createdAt: Math.floor(i / 7) })));
        const seen: string[] = [];
        let after: Scalar[] | undefined;
        for (let page = 0; page < 10; page++) {
          const query = { where: { workspaceId: 'w1' }, sort: ['-createdAt'], limit: 7, ...(after && { after }) };
          const found = await models.find('orders', query);
          if (found.length === 0) break;
          seen.push(...idsOf(found));
          after = [found.at(-1)!.keys.createdAt!, found.at(-1)!.id];
          await put(order(`new${page}`, 1000 + page, { createdAt: 1000 + page }));
          await models.write({ orders: { remove: [{ id: found[0]!.id, revision: 9999 }] } });
        }
        expect(seen).to.have.length(40);
        expect(new Set(seen).size).to.equal(40);
      });
    });

    describe('compound order', () => {
      const definition: CollectionDefinition = {
        name: 'mixed',
        keys: { group: 'text', a: 'text', b: 'number' },
        indexes: [{ keys: ['group', 'a', '-b'] }, { keys: ['group', '-a', '-b'] }],
      };
      const texts = [null, '', 'a', 'b', 'é', '￿', '🧃'];
      /** Texts that both orders sort equally, for an engine that has only the other order. */
      const comparable = () => (opened.textOrder === 'utf-16' ? texts.filter((text) => text !== '🧃') : texts);
      const rowOf = (texts: readonly Scalar[]) =>
        fc.record({
          group: fc.constantFrom('g', 'h'),
          a: fc.constantFrom(...texts),
          b: fc.constantFrom(null, -1, 0, 0.5, 2 ** 53),
        });
      const compared = (x: Scalar, y: Scalar): number => {
        if (x === null || y === null) return Number(x !== null) - Number(y !== null);
        return typeof x === 'number' && typeof y === 'number'
          ? x - y
          : Buffer.compare(Buffer.from(String(x)), Buffer.from(String(y)));
      };
      const sorted = (documents: readonly NewDocument[], sort: readonly string[]) => {
        const last = sort.at(-1)?.startsWith('-') ? -1 : 1;
        return [...documents].sort((x, y) => {
          for (const by of sort) {
            const key = by.replace('-', '');
            const order = compared(x.keys[key]!, y.keys[key]!) * (by.startsWith('-') ? -1 : 1);
            if (order !== 0) return order;
          }
          return compared(x.id, y.id) * last;
        });
      };
      const sorts = [
        ['a', '-b'],
        ['-a', 'b'],
        ['-a', '-b'],
        ['a', 'b'],
      ];

      it('sorts like memory, with ties, nulls and mixed directions', async () => {
        await models.open(definition);
        let revision = 0;
        await fc.assert(
          fc.asyncProperty(
            fc.array(rowOf(comparable()), { maxLength: 30 }),
            fc.constantFrom(...sorts),
            fc.integer({ min: 1, max: 7 }),
            fc.boolean(),
            async (rows, sort, limit, both) => {
              while ((await models.removeWhere('mixed', { group: { in: ['g', 'h'] } }, 1000)) > 0);
              const documents = rows.map((keys, i) => ({ id: `d${i}`, keys, body: {}, revision: ++revision }));
              await models.write({ mixed: { put: documents } });
              const groups = both ? ['g', 'h'] : ['g'];
              const pages = await allPages(models, groups, sort, limit);
              const expected = documents.filter(({ keys }) => groups.includes(keys.group));
              expect(pages).to.deep.equal(idsOf(sorted(expected, sort)));
            },
          ),
          { numRuns: 150 },
        );
      });

      it('starts each page at the narrower of range and cursor', async () => {
        await models.open(definition);
        const documents = [1, 2, 3, 4, 5, 6].map((b) => ({
          id: `d${b}`,
          keys: { group: 'g', a: 'x', b },
          body: {},
          revision: 1,
        }));
        await models.write({ mixed: { put: documents } });
        const where = { group: 'g', a: 'x', b: { lt: 6, gte: 2 } };
        const first = await models.find('mixed', { where, sort: ['-b'], limit: 2 });
        expect(idsOf(first)).to.deep.equal(['d5', 'd4']);
        const next = await models.find('mixed', { where, sort: ['-b'], limit: 9, after: [4, 'd4'] });
        expect(idsOf(next)).to.deep.equal(['d3', 'd2']);
      });
    });

    describe('single documents', () => {
      it('are inserted once of fifty with one id, or one unique key', async () => {
        const byId = await Promise.all(
          Array.from({ length: 50 }, (_, i) => models.insert('orders', order('same', i + 1))),
        );
        expect(byId.filter(Boolean)).to.have.length(1);
        const byKey = await Promise.all(
          Array.from({ length: 50 }, (_, i) => models.insert('orders', order(`o${i}`, 1, { number: 7 }))),
        );
        expect(byKey.filter(Boolean)).to.have.length(1);
        expect(await models.insert('orders', order('n1', 1))).to.equal(true);
        expect(await models.insert('orders', order('n2', 1))).to.equal(true);
      });

      it('are replaced only at the expected revision', async () => {
        await models.insert('orders', order('a', 1));
        const tries = await Promise.all([2, 3, 4].map((revision) => models.replace('orders', 1, order('a', revision))));
        expect(tries.filter(Boolean)).to.have.length(1);
        expect(await models.replace('orders', 0, order('absent', 1))).to.equal(false);
        const stored = (await models.get('orders', 'a'))!;
        expect(await models.replace('orders', stored.revision, order('a', 9, { status: 'paid' }))).to.equal(true);
        expect((await models.get('orders', 'a'))!.keys.status).to.equal('paid');
      });

      it('are removed once expired, at most as many as requested', async () => {
        await models.open({ name: 'keys', keys: { expiresAt: 'number' }, indexes: [], expiresAt: 'expiresAt' });
        const expiring = (id: string, expiresAt: number | null) => ({ id, keys: { expiresAt }, body: {}, revision: 1 });
        const put = [expiring('a', 1), expiring('b', 2), expiring('c', 3), expiring('d', null)];
        await models.write({ keys: { put } });
        expect(await models.removeWhere('keys', { expiresAt: { lte: 2 } }, 1)).to.equal(1);
        expect(await models.removeWhere('keys', { expiresAt: { lte: 2 } }, 9)).to.equal(1);
        expect(idsOf(await models.find('keys', { limit: 9 }))).to.deep.equal(['c', 'd']);
      });
    });

    describe('collections', () => {
      it('are listed and dropped, and reopened with their content', async () => {
        await put(order('a', 1));
        await models.open({ ...orders, indexes: [{ keys: ['status'] }] });
        expect(idsOf(await models.find('orders', { where: { status: 'new' }, limit: 1 }))).to.deep.equal(['a']);
        expect(await models.list()).to.deep.equal(['orders']);
        await models.drop('orders');
        expect(await models.list()).to.deep.equal([]);
        expect((await refusal(models.get('orders', 'a'))).message).to.include('orders');
      });

      it('with other keys are recreated only while empty', async () => {
        const other = { ...orders, keys: { ...orders.keys, phone: 'text' as const } };
        await models.open(other);
        await put(order('a', 1, { phone: '+1' }));
        expect((await refusal(models.open(orders))).message).to.include('orders');
        expect((await models.get('orders', 'a'))!.keys.phone).to.equal('+1');
      });

      it('get their indexes after the first fill', async () => {
        await models.open({ ...orders, name: 'filled' }, { indexes: 'later' });
        await models.write({ filled: { put: [order('a', 1, { number: 1 })] } });
        await models.buildIndexes('filled');
        expect(await models.insert('filled', order('b', 1, { number: 1 }))).to.equal(false);
      });

      it('are reached by an alias, which switches for every connection at once', async () => {
        await models.open({ ...orders, name: 'orders_a' });
        await models.open({
          ...orders,
          name: 'orders_b',
          keys: { ...orders.keys, extra: 'text' },
          indexes: [{ keys: ['extra'] }],
        });
        await models.write({
          orders_a: { put: [order('x', 1, {}, 'old')] },
          orders_b: { put: [order('x', 1, { extra: 'e' }, 'new')] },
        });
        await models.setAlias('current', 'orders_a');
        const reader = await opened.another();
        const query = { where: { workspaceId: 'w1' }, sort: ['-createdAt'], limit: 1 };
        expect((await reader.find('current', query))[0]!.body).to.equal('old');
        expect((await reader.get('current', 'x'))!.body).to.equal('old');
        await models.setAlias('current', 'orders_b');
        expect((await reader.get('current', 'x'))!.body).to.equal('new');
        expect((await reader.find('current', { where: { extra: 'e' }, limit: 1 }))[0]!.body).to.equal('new');
        expect((await reader.getMany('current', ['x'])).get('x')!.body).to.equal('new');
        expect(await reader.count('current', { extra: 'e' }, 5)).to.equal(1);
        expect(await reader.resolve('current')).to.equal('orders_b');
        expect(await reader.resolve('unknown')).to.equal('unknown');
        await models.drop('orders_a');
        await refusal(models.drop('orders_b'));
        expect((await reader.get('current', 'x'))!.body).to.equal('new');
        await models.dropAlias('current', 'orders_a');
        expect(await reader.resolve('current'), 'it stands for another').to.equal('orders_b');
        await models.dropAlias('current', 'orders_b');
        await models.dropAlias('current', 'orders_b');
        expect(await refusal(reader.get('current', 'x'))).to.include({ code: 'unknown_collection' });
        expect(await refusal(models.find('current', query))).to.include({ code: 'unknown_collection' });
        expect(await reader.resolve('current')).to.equal('current');
        await models.drop('orders_b');
        await reader.close();
      });
    });
  });
}
