import { expect } from 'chai';
import { type InstancesStage, instancesStage, noInstances, type Store } from '../../harness/engines/instancesStage.js';
import type { ServiceProcess } from '../../harness/service/serviceProcess.js';
import { onCommands, refusal } from '../support/doubles/mongoWire.js';
import { until } from '../support/tools/until.js';

interface Answered {
  readonly status: number;
  readonly retryAfter: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: answers of several shapes, looked into by the tests
  readonly body: any;
}

const title = 'a service whose engines are servers';
if (noInstances !== undefined) it(`${title} (${noInstances})`);
else
  describe(title, function () {
    this.timeout(240_000);
    let stage: InstancesStage;
    let service: ServiceProcess;
    let store: Store;
    before(async () => {
      stage = await instancesStage();
      service = await stage.start('one');
      store = await stage.store('one');
    });
    after(() => stage?.close());

    async function call(method: string, path: string, body?: object): Promise<Answered> {
      const answer = await fetch(`${service.baseUrl}${path}`, {
        method,
        headers: { authorization: `Bearer ${store.secretKey}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: await answer.json() };
    }
    const products = (): string => `/api/v1/workspaces/${store.workspaceId}/commerce/products`;
    const put = (id: string): Promise<Answered> =>
      call('PUT', `${products()}/${id}`, {
        name: 'Shirt',
        imageUrls: ['https://images.example.com/shirt.jpg'],
        priceCents: 1500,
      });
    const ids = async (): Promise<string[]> => {
      const { status, body } = await call('GET', products());
      expect(status, JSON.stringify(body)).to.equal(200);
      return body.products.map((one: { externalId: string }) => one.externalId).sort();
    };
    const unready = async (): Promise<string> => {
      const { body } = await call('GET', '/readyz');
      return body.checks.map((one: { name: string; detail?: string }) => `${one.name}: ${one.detail}`).join('; ');
    };
    const unavailable = ({ status, retryAfter, body }: Answered): void => {
      expect([status, body.code, retryAfter], JSON.stringify(body)).to.deep.equal([503, 'unavailable', '1']);
    };

    it('shows them on the front page and at the start, without the credentials', async () => {
      const page = await (await fetch(service.baseUrl)).text();
      for (const text of [page, service.output()])
        expect(text).to.include('EventStoreDB at 127.0.0.1').and.include('MongoDB at 127.0.0.1');
    });

    it('asks clients to retry while the event store is unavailable, still answers reads, and recovers', async function () {
      const { events } = stage.ways;
      if (events === undefined) return this.skip();
      expect((await put('before')).status).to.equal(201);
      await events.refuse();
      unavailable(await put('during'));
      expect(await ids()).to.deep.equal(['before']);
      expect(await unready()).to.match(/event store: (EventStoreDB at 127\.0\.0\.1:\d+ is unavailable|did not answer)/);
      await events.heal();
      await until('changes are accepted again', async () => (await put('after')).status < 300);
      expect(await ids()).to.include.members(['before', 'after']);
      await until('it is ready again', async () => (await call('GET', '/readyz')).status === 200);
    });

    it('asks clients to retry while the event store is silent behind a half-open connection, and recovers', async function () {
      const { events } = stage.ways;
      if (events === undefined) return this.skip();
      events.silence();
      unavailable(await put('silent'));
      await events.heal();
      await until('changes are accepted again', async () => (await put('silent')).status < 300);
      expect((await ids()).filter((id) => id === 'silent')).to.have.length(1);
      await until('it is ready again', async () => (await call('GET', '/readyz')).status === 200);
    });

    it('asks clients to retry while the read models are unavailable, and recovers', async function () {
      const { documents } = stage.ways;
      if (documents === undefined) return this.skip();
      const known = await ids();
      await documents.refuse();
      unavailable(await call('GET', products()));
      unavailable(await put('meanwhile'));
      expect(await unready()).to.match(/read models: (MongoDB at 127\.0\.0\.1:\d+ is unavailable|did not answer)/);
      await documents.heal();
      await until('reads are answered again', async () => (await call('GET', products())).status === 200);
      await until('changes are shown again', async () => (await put('afterwards')).status < 300);
      expect(await ids()).to.include.members([...known, 'afterwards']);
      await until('it is ready again', async () => (await call('GET', '/readyz')).status === 200);
    });

    it('reports in /readyz that the document server rejects its user, and continues once it does not', async function () {
      const { documents } = stage.ways;
      if (documents === undefined) return this.skip();
      onCommands(documents, ({ name, body }) =>
        name === 'find' && JSON.stringify(body.filter).includes('"readiness"')
          ? refusal(13, 'not authorized on suuq to execute command')
          : undefined,
      );
      expect(await unready()).to.match(
        /read models: MongoDB at 127\.0\.0\.1:\d+ refuses the user in MONGODB_URL: .*not authorized/,
      );
      documents.judge(undefined);
      await until('it is ready again', async () => (await call('GET', '/readyz')).status === 200);
    });

    it('waits at the start for an engine that starts later', async function () {
      const { events } = stage.ways;
      if (events === undefined) return this.skip();
      await events.refuse();
      const starting = stage.start('late', { SUUQ_LOG: 'warn' });
      // Longer than a command waits.
      const early = await Promise.race([
        starting.then(() => 'ready'),
        new Promise((resolve) => setTimeout(resolve, 11_000, 'waits')),
      ]);
      expect(early).to.equal('waits');
      await events.heal();
      const late = await starting;
      expect(late.output()).to.match(
        /"instance":"late".*"engine":"EventStoreDB at 127\.0\.0\.1:\d+".*"engine unavailable, waiting"/,
      );
      expect(await late.stop()).to.equal(0);
    });

    it('is found by the command line of another folder, through the shared engines', async () => {
      const owners = async (): Promise<unknown[]> => {
        const { projections } = await stage.json('elsewhere', 'projections', 'status');
        return [...new Set(projections.map(({ owner }: { owner?: string }) => owner))];
      };
      // The instance regains the projections that it lost during the outage within the time of a takeover.
      await until('the service has all projections', async () => (await owners()).join() === 'one');
      // A command does not take projections from running instances.
      expect(await owners()).to.deep.equal(['one']);
      const { partners } = await stage.json('elsewhere', 'admin', 'partners', 'list');
      expect(partners).to.have.length(1);
      expect((await put('built')).status).to.be.below(300);
      const rebuilt = await stage.json('elsewhere', 'projections', 'rebuild', 'products');
      expect(rebuilt.projections[0]).to.deep.include({ name: 'products', state: 'live', lag: 0 });
      expect(await ids()).to.include('built');
    });

    it('leaves everything to the command line when it has stopped', async () => {
      expect(await service.stop()).to.equal(0);
      const [{ id }] = (await stage.json('elsewhere', 'admin', 'partners', 'list')).partners;
      await stage.json('elsewhere', 'admin', 'partners', 'suspend', '--id', id, '--reason', 'test');
      const [partner] = (await stage.json('elsewhere', 'admin', 'partners', 'list')).partners;
      expect(partner.status).to.equal('suspended');
      const rebuilt = await stage.json('elsewhere', 'projections', 'rebuild', 'partners');
      expect(rebuilt.projections[0]).to.deep.include({ name: 'partners', state: 'live' });
    });

    it('reports which engine it waited for in vain', async function () {
      const { events } = stage.ways;
      if (events === undefined) return this.skip();
      await events.refuse();
      const away = await stage.suuq('elsewhere', 'admin', 'partners', 'list');
      expect([away.status, away.stdout]).to.deep.equal([1, '']);
      expect(away.stderr).to.match(/unavailable: waited 10 s for EventStoreDB at 127\.0\.0\.1:\d+: /);
      await events.heal();
    });
  });
