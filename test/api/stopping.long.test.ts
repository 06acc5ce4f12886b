/** A server that stops while clients send requests answers every request it received. */
import { Agent, request } from 'node:http';
import { expect } from 'chai';
import { until } from '../support/doubles/fakeClock.js';
import { startSampleApi } from '../support/stages/sampleApi.js';

interface Answer {
  readonly status: number;
  readonly connection: string | undefined;
}

function get(url: string, agent: Agent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent }, (answer) => {
      answer.on('error', reject).resume();
      answer.on('end', () => resolve({ status: answer.statusCode!, connection: answer.headers.connection }));
    });
    sent.on('error', reject).end();
  });
}

describe('stopping a server under load', () => {
  it('resets no connection: each gets its last response, and new ones are rejected', async () => {
    const api = await startSampleApi();
    const agent = new Agent({ keepAlive: true });
    const codes = new Map<string, number>();
    let [isClosing, lastWords] = [false, 0];
    let connected = 0;
    async function client(): Promise<void> {
      for (let answers = 0; ; answers += 1) {
        try {
          const { connection } = await get(`${api.url}/healthz`, agent);
          if (answers === 0) connected += 1;
          if (isClosing && connection === 'close') lastWords += 1;
        } catch (error) {
          const { code = 'none' } = error as NodeJS.ErrnoException;
          codes.set(code, (codes.get(code) ?? 0) + 1);
          return;
        }
      }
    }
    const clients = Array.from({ length: 20 }, client);
    await until('every client has a connection', () => connected === clients.length);
    isClosing = true;
    const started = performance.now();
    await api.server.close();
    expect(performance.now() - started).to.be.below(5_000);
    await Promise.all(clients);
    agent.destroy();
    expect([...codes]).to.deep.equal([['ECONNREFUSED', 20]]);
    expect(lastWords).to.equal(20);
  });

  it('is immediate without requests', async () => {
    const api = await startSampleApi();
    const agent = new Agent({ keepAlive: true });
    await get(`${api.url}/healthz`, agent);
    const started = performance.now();
    await api.server.close();
    expect(performance.now() - started).to.be.below(1_000);
    agent.destroy();
  });
});
