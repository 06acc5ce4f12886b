import { join } from 'node:path';
import { expect } from 'chai';
import { derivedId } from '../../domain/ids.js';
import { type ServiceProcess, startService, temporaryFolder } from '../../harness/service/serviceProcess.js';
import { openEmbeddedEventStore } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { readServiceCard } from '../../service/folder/serviceCard.js';
import { until } from '../support/doubles/fakeClock.js';
import { commandLine } from '../support/stages/commandLine.js';
import { foundInstallation } from '../support/stages/installation.js';

const meta = { at: '2026-03-01T09:00:00.000Z', actor: { type: 'system' as const }, correlationId: 'test' };
/** A product without its content, which no release has ever written. Its id depends on `n`. */
const poison = (n: number) => ({
  id: derivedId('poison', n),
  type: 'ProductAdded',
  data: { externalId: `P${n}` },
  meta,
});

describe('command line, with a stopped projection', () => {
  // Each command is a process that opens the engines.
  const folder = temporaryFolder('suuq-skipping-');
  const data = join(folder.path, 'data');
  const { suuq, json } = commandLine(data);
  let service: ServiceProcess | undefined;
  before(() => foundInstallation(data));
  after(async () => {
    await service?.stop();
    folder.remove();
  });

  const append = async (n: number): Promise<string> => {
    const store = await openEmbeddedEventStore(data);
    const event = poison(n);
    await store.append('catalog-s1', 'any', [event]);
    await store.close();
    return event.id;
  };
  // biome-ignore lint/suspicious/noExplicitAny: the command's answer
  const stoppedProjections = (): any[] =>
    json('projections', 'status').projections.filter((one: { state: string }) => one.state === 'stopped');
  const skip = (name: string, id: string, ...more: string[]) =>
    suuq('projections', 'skip', name, '--event', id, '--reason', 'a broken import', ...more);

  it('skips the event while the service is stopped, which applies after the start', async () => {
    json('admin', 'plans', 'put', '--key', 'growth', '--name', 'Growth');
    const id = await append(1);
    const wrong = skip('products', derivedId('poison', 2));
    expect(wrong.status).to.equal(1);
    const sentence = `other_event: products is stopped at another event: ProductAdded ${id} of catalog-s1.`;
    // The message follows the log lines about the stop.
    expect(wrong.stderr.trimEnd().split('\n').at(-1)).to.equal(sentence);
    const names = stoppedProjections().map(({ name, poison: { eventId } }) => {
      expect(eventId).to.equal(id);
      return name;
    });
    expect(names).to.include('products');
    expect(skip('products', id).stdout).to.equal(
      `products, version ${versionOf('products')}, skips ${id}; it continues.\n`,
    );
    for (const name of names.filter((one) => one !== 'products')) expect(skip(name, id).status).to.equal(0);
    expect(stoppedProjections()).to.deep.equal([]);
    expect(suuq('projections', 'status').stdout).to.match(/SKIPPED\n(?:.*\n)*products .* 1\n/);
    expect(JSON.parse(skip('products', id, '--json').stdout)).to.include({ changed: false, goesOn: true });
  });

  it('skips it in the running service, which then is ready', async () => {
    const id = await append(2);
    // The service is ready only when no projection is stopped any more.
    const starting = startService(data);
    await until('the service accepts commands', () => readServiceCard(data)?.socket !== undefined);
    const names = ['products', 'catalogItems'];
    const found = suuq('doctor', '--json');
    expect(found.status).to.equal(1);
    const { findings } = JSON.parse(found.stdout) as { findings: { code: string; message: string }[] };
    const reported = findings.filter(({ code }) => code === 'projection_stopped').map(({ message }) => message);
    for (const name of names) expect(reported.join('\n')).to.include(`${name} has stopped at the event ${id}`);
    for (const name of names) expect(skip(name, id).stdout).to.match(/skips .*; it continues\.\n$/);
    service = await starting;
    expect(stoppedProjections()).to.deep.equal([]);
    const { projections } = json('projections', 'rebuild', 'products');
    expect(projections[0]).to.include({ name: 'products', state: 'live', skipped: 2 });
    const { processors } = json('processors', 'status');
    expect(processors.map((one: { name: string }) => one.name)).to.include.members(['outbox', 'webhooks']);
    expect(processors.every((one: { skipped: number }) => one.skipped === 0)).to.equal(true);
    const refused = suuq('processors', 'skip', 'webhooks', '--event', id, '--reason', 'a broken import');
    expect(refused.stderr).to.equal('not_stopped: webhooks is not stopped at an event, so there is nothing to skip.\n');
  });

  const versionOf = (name: string): number =>
    json('projections', 'status').projections.find((one: { name: string }) => one.name === name).version;
});
