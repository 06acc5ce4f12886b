/** Missing, slow and faulty collectors: the service works as before and logs the failure once. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  type Demo,
  readDemo,
  type ServiceProcess,
  startService,
  suuqCommand,
  temporaryFolder,
} from '../../harness/service/serviceProcess.js';
import { type Collector, startCollector } from '../support/doubles/collector.js';
import { until } from '../support/tools/until.js';

/** Address without a listener: a rarely used port below the ephemeral range. */
const NOBODY = 'http://127.0.0.1:9';
const AWAY = 'trace collector unavailable';

describe('an unavailable trace collector', () => {
  const folder = temporaryFolder('suuq-collector-');
  let service: ServiceProcess | undefined;
  let demo: Demo;
  let collector: Collector | undefined;

  afterEach(async () => {
    await service?.stop();
    service = undefined;
    await collector?.close();
    collector = undefined;
  });
  after(() => folder.remove());

  const start = async (endpoint: string, env: Record<string, string> = {}): Promise<void> => {
    service = await startService(folder.path, {
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=collector-credential',
      OTEL_EXPORTER_OTLP_TIMEOUT: '200',
      OTEL_BSP_SCHEDULE_DELAY: '20',
      OTEL_BSP_MAX_QUEUE_SIZE: '64',
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '16',
      SUUQ_LOG: 'info',
      ...env,
    });
    demo = readDemo(folder.path);
  };
  const request = async (): Promise<void> => {
    const path = `/api/v1/workspaces/${demo.store.workspaceId}/commerce/products?limit=1`;
    const answer = await fetch(service!.baseUrl + path, {
      headers: { authorization: `Bearer ${demo.store.secretKey}` },
    });
    expect(answer.status).to.equal(200);
    await answer.arrayBuffer();
  };
  const times = (text: string): number => service!.output().split(text).length - 1;

  it('is logged once, and nothing waits for it or grows', async () => {
    await start(NOBODY);
    await request();
    await until('it is logged', () => times(AWAY) === 1);
    for (let n = 0; n < 200; n++) await request();
    const before = service!.resident();
    for (let n = 0; n < 1000; n++) await request();
    expect(service!.resident() - before).to.be.below(64 * 1024 * 1024);
    expect(times(AWAY)).to.equal(1);
    expect(service!.output()).to.include(NOBODY).and.not.include('collector-credential');
    const startedAt = performance.now();
    expect(await service!.stop()).to.equal(0);
    expect(performance.now() - startedAt).to.be.below(10_000);
  });

  it('is logged once while it answers 500 or not at all, and again when it recovers', async () => {
    collector = await startCollector();
    collector.answer(500);
    await start(collector.url);
    for (let n = 0; n < 50; n++) await request();
    await until('it is logged', () => times(AWAY) === 1);
    collector.answer('hang');
    const posts = collector.posts();
    for (let n = 0; n < 50; n++) await request();
    await until('it was called again', () => collector!.posts() > posts + 1);
    expect(times(AWAY)).to.equal(1);
    collector.answer(200);
    await until('spans arrive again', async () => {
      await request();
      return collector!.spans.length > 0;
    });
    await until('it is logged', () => times('trace collector available again') === 1);
    expect(times(AWAY)).to.equal(1);
  });

  it('does not delay the shutdown of the service', async () => {
    collector = await startCollector();
    collector.answer('hang');
    await start(collector.url, { OTEL_EXPORTER_OTLP_TIMEOUT: '600000' });
    await request();
    await until('a post hangs', () => collector!.posts() > 0);
    const startedAt = performance.now();
    expect(await service!.stop()).to.equal(0);
    expect(performance.now() - startedAt).to.be.below(12_000);
    expect(times('traces dropped at shutdown')).to.equal(1);
    expect(times('exiting with open resources')).to.equal(0);
  });

  it('is loaded only if configured', async () => {
    /** Lists the OpenTelemetry packages that a service has loaded after one request. */
    const loaded = async (env: Record<string, string>): Promise<readonly string[]> => {
      const list = join(folder.path, 'loaded.txt');
      const preload = `import { createRequire } from 'node:module'; import { writeFileSync } from 'node:fs';
        import { isMainThread } from 'node:worker_threads';
        const { cache } = createRequire(${JSON.stringify(suuqCommand)});
        if (isMainThread) process.on('exit', () => writeFileSync(${JSON.stringify(list)}, Object.keys(cache).join('\\n')));`;
      const script = `data:text/javascript;base64,${Buffer.from(preload).toString('base64')}`;
      service = await startService(folder.path, { NODE_OPTIONS: `--import=${script}`, ...env });
      demo = readDemo(folder.path);
      await request();
      // The metrics module loads with the first request for metrics, or some time after the start.
      expect((await fetch(`${service.baseUrl}/metrics`)).status).to.equal(200);
      expect(await service.stop()).to.equal(0);
      const files = readFileSync(list, 'utf8').split('\n');
      expect(
        files.some((file) => file.includes('/node_modules/')),
        'the list is right',
      ).to.equal(true);
      const names = files.flatMap((file) => /@opentelemetry\/[^/]+/.exec(file)?.[0] ?? []);
      return [...new Set(names)];
    };
    // The Prometheus client loads the API package by itself.
    const usual = ['@opentelemetry/api'];
    expect(await loaded({})).to.deep.equal(usual);
    expect(await loaded({ OTEL_EXPORTER_OTLP_ENDPOINT: NOBODY, OTEL_SDK_DISABLED: 'true' })).to.deep.equal(usual);
    expect(await loaded({ OTEL_EXPORTER_OTLP_ENDPOINT: NOBODY })).to.include('@opentelemetry/sdk-trace');
  });

  it('prevents the start if its settings are invalid, with the name and no credential', () => {
    const wrong: readonly (readonly [string, string, string])[] = [
      ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318', 'OTEL_EXPORTER_OTLP_ENDPOINT is not a base address'],
      ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'must be one of http/protobuf'],
      ['OTEL_TRACES_SAMPLER', 'sometimes', 'must be one of always_on'],
      ['OTEL_TRACES_SAMPLER_ARG', '1.5', 'must be a number from 0 to 1'],
      ['OTEL_EXPORTER_OTLP_HEADERS', 'collector-credential', 'is not a list of names and values'],
      ['OTEL_RESOURCE_ATTRIBUTES', 'a=%zz', 'is not a list of names and values'],
      ['OTEL_BSP_MAX_QUEUE_SIZE', 'many', 'must be a whole number'],
    ];
    for (const [name, value, sentence] of wrong) {
      const env = {
        ...process.env,
        SUUQ_DATA: folder.path,
        PORT: '0',
        OTEL_EXPORTER_OTLP_ENDPOINT: NOBODY,
        [name]: value,
      };
      const { status, stderr } = spawnSync(process.execPath, [suuqCommand, 'start'], {
        env,
        encoding: 'utf8',
        timeout: 30_000,
      });
      expect(status, name).to.equal(1);
      expect(stderr, name).to.include(sentence).and.not.include('collector-credential');
    }
  });
});
