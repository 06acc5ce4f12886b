/**
 * Events to 20 endpoints, with failing and slow receivers, and a service that is killed five times with SIGKILL. Every
 * event is reconciled. SUUQ_PROOF=full: 20,000 events, some of which fail twice.
 */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { verify } from '../../application/webhooks/verification.js';
import {
  appendOrders,
  countPending,
  makeEndpoints,
  placedId,
  readDeliveries,
  storeOf,
} from '../../harness/load/webhookHistory.js';
import { type ServiceProcess, startService, temporaryFolder } from '../../harness/service/serviceProcess.js';
import type { Endpoint } from '../support/stages/webhookStage.js';

const FULL = process.env.SUUQ_PROOF === 'full';
const EVENTS = FULL ? 20_000 : 600;
const ENDPOINTS = 20;
const KILLS = 5;
/** 10 % of the receivers. */
const SLOW_ENDPOINTS = 2;
const SLOW_MS = 100;
const WITHIN_MS = FULL ? 600_000 : 120_000;

/** 20 % of the events fail at first. In full mode, a fifth of these also fail at the second attempt. */
const failuresOf = (index: number): number => (index % 5 !== 0 ? 0 : FULL && index % 25 === 0 ? 2 : 1);
const endpointOf = (index: number): number => (index * 7 + Math.floor(index / ENDPOINTS)) % ENDPOINTS;

interface Sent {
  readonly attempt: number;
  readonly succeeded: boolean;
  /** Number of kills of the service before the delivery arrived. */
  readonly life: number;
}

/** Receivers of all endpoints, with the deliveries that they received. */
class Stage {
  life = 0;
  answered = 0;
  secrets: readonly string[] = [];
  readonly sent = new Map<string, Sent[]>();
  /** Events whose success was in the log when the service was killed. */
  readonly recorded = new Set<string>();
  /** Violations, as sentences. */
  readonly wrong: string[] = [];
  readonly #indexes = new Map(Array.from({ length: EVENTS }, (_, index) => [placedId(index), index]));

  async server(): Promise<Server> {
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const endpoint = Number(request.url!.slice(1));
      const header = String(request.headers['service-signature']);
      const code = this.take(
        endpoint,
        Buffer.concat(chunks),
        header,
        Number(request.headers['service-delivery-attempt']),
      );
      if (endpoint < SLOW_ENDPOINTS) await pause(SLOW_MS);
      response.writeHead(code).end();
      this.answered++;
    });
    server.keepAliveTimeout = 60_000;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  take(endpoint: number, raw: Buffer, header: string, attempt: number): number {
    const { id } = JSON.parse(raw.toString()) as { id: string };
    const index = this.#indexes.get(id);
    if (index === undefined || endpointOf(index) !== endpoint) this.wrong.push(`${id} came to ${endpoint}`);
    if (!verify({ header, raw, secret: this.secrets[endpoint]! }).valid) this.wrong.push(`${id} is not signed`);
    if (this.recorded.has(id)) this.wrong.push(`${id} came after its success was recorded`);
    const before = this.sent.get(id) ?? [];
    if (before.some(({ succeeded, life }) => succeeded && life === this.life))
      this.wrong.push(`${id} came after its success`);
    const succeeded = attempt > failuresOf(index ?? 0);
    this.sent.set(id, [...before, { attempt, succeeded, life: this.life }]);
    return succeeded ? 204 : 500;
  }

  delivered(): number {
    return [...this.sent.values()].filter((sent) => sent.some(({ succeeded }) => succeeded)).length;
  }
}

async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + WITHIN_MS;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`waited ${WITHIN_MS} ms in vain: ${what}`);
    await pause(5);
  }
}

/**
 * With an explicit console port a start makes no link, and so appends nothing to the log. This process appends between
 * two starts and might not see such an event, because the driver releases a closed connection only when its statements
 * are garbage-collected.
 */
const QUIET = { SUUQ_CONSOLE_PORT: '0' };

/** Returns true if no delivery is in flight. */
async function isIdle(folder: string): Promise<boolean> {
  const { readinessUrl } = JSON.parse(readFileSync(join(folder, 'service.json'), 'utf8')) as { readinessUrl: string };
  const metrics = await (await fetch(`${readinessUrl}/metrics`)).text();
  return metrics.includes('suuq_processor_in_flight{processor="webhooks"} 0\n');
}

describe(`webhooks of ${EVENTS} events to ${ENDPOINTS} endpoints over ${KILLS} kills`, () => {
  const folder = temporaryFolder('suuq-proof-');
  const stage = new Stage();
  let server: Server;
  let service: ServiceProcess | undefined;
  let endpoints: readonly Endpoint[];

  before(async () => {
    server = await stage.server();
    const { port } = server.address() as AddressInfo;
    endpoints = await makeEndpoints(
      folder.path,
      Array.from({ length: ENDPOINTS }, (_, i) => `http://127.0.0.1:${port}/${i}`),
    );
    stage.secrets = endpoints.map(({ secret }) => secret);
  });
  after(async () => {
    await service?.kill();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    folder.remove();
  });

  it('lose none, and repeat none after its success was recorded', async function () {
    this.timeout(WITHIN_MS * 2);
    const firstOf = (life: number): number => Math.floor((life * EVENTS) / (KILLS + 1));
    for (stage.life = 0; stage.life <= KILLS; stage.life++) {
      const from = firstOf(stage.life);
      const portion = firstOf(stage.life + 1) - from;
      // Appends new events while deliveries are still pending.
      await appendOrders(folder.path, { from, count: portion, workspaceOf: (index) => storeOf(endpointOf(index)) });
      service = await startService(folder.path, QUIET);
      if (stage.life === KILLS) {
        await until('all are delivered', () => stage.delivered() === EVENTS);
        await until('all answers are back', () => isIdle(folder.path));
        expect(await service.stop()).to.equal(0);
        break;
      }
      // In the middle of deliveries: most of this portion is in flight, and slow receivers have not answered.
      await until('some have arrived', () => stage.wrong.length > 0 || stage.sent.size >= from + portion * 0.7);
      await service.kill();
      for (const { eventId, status } of await readDeliveries(folder.path, endpoints))
        if (status === 'succeeded') stage.recorded.add(eventId);
    }

    expect(stage.wrong).to.deep.equal([]);
    const log = await readDeliveries(folder.path, endpoints);
    const attempts = new Map<string, string[]>();
    for (const { eventId, attempt, status } of log)
      attempts.set(eventId, [...(attempts.get(eventId) ?? []), `${attempt} ${status}`].sort());
    let again = 0;
    for (let index = 0; index < EVENTS; index++) {
      const failed = Array.from({ length: failuresOf(index) }, (_, i) => `${i + 1} failed`);
      expect(attempts.get(placedId(index)), `event ${index}`).to.deep.equal([
        ...failed,
        `${failed.length + 1} succeeded`,
      ]);
      const sent = stage.sent.get(placedId(index))!;
      again += sent.filter(({ succeeded }) => succeeded).length - 1;
      // Only attempts that a kill interrupted before recording may repeat.
      const repeats = sent.length - new Set(sent.map(({ attempt }) => attempt)).size;
      expect(repeats, `event ${index}`).to.be.at.most(new Set(sent.map(({ life }) => life)).size - 1);
    }
    expect(await countPending(folder.path)).to.equal(0);
    process.stdout.write(`      ${stage.answered} deliveries answered, ${again} of them again after a kill\n`);
    // Each kill interrupts at most the deliveries in flight: 4 per endpoint, and the outcomes waiting for one write.
    expect(again).to.be.at.most(KILLS * (4 * ENDPOINTS + 500));
  });
});
