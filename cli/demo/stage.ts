import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express from 'express';
import { verifyWebhook, type WebhookEvent, WebhookRefused } from '../../client/src/index.js';
import { PARTNER_SCOPES, WORKSPACE_SCOPES } from '../../domain/access/scopes.js';
import { listen } from '../../infrastructure/http/listen.js';
import { isPassing, STEP_MS } from './retries.js';

const command = fileURLToPath(new URL('../../../bin/suuq.mjs', import.meta.url));
/** Longest time of a start, which may have to wait for engines, and of a command. */
const START_MS = 120_000;
/** As a supervisor gives it before it kills, in ms. */
const STOP_MS = 30_000;

export interface DemoKeys {
  readonly baseUrl: string;
  readonly partner: { readonly id: string; readonly secretKey: string; readonly publishableKey: string };
  readonly sandbox: { readonly baseUrl: string };
}

export interface Channel {
  readonly phoneNumberId: string;
  readonly displayPhoneNumber: string;
  readonly catalogId: string;
}

/** Card of a listening service in `service.json`. */
interface Card {
  readonly baseUrl: string;
  readonly sandboxUrl: string;
}

/** Shared engines need a key that does not lie in the data folder; one for this run will do. */
function environment(folder: string): NodeJS.ProcessEnv {
  const { EVENTSTORE_URL, MONGODB_URL, SUUQ_MASTER_KEY, SUUQ_MASTER_KEY_FILE } = process.env;
  const shared = Boolean(EVENTSTORE_URL || MONGODB_URL);
  const key = shared && !SUUQ_MASTER_KEY && !SUUQ_MASTER_KEY_FILE ? randomBytes(32).toString('hex') : undefined;
  return { ...process.env, ...(key && { SUUQ_MASTER_KEY: key }), SUUQ_DATA: folder };
}

/** The service on a folder of its own, as `npm start` runs it; on the engines that the environment names. */
export class Stage {
  readonly keys: DemoKeys;
  readonly #env: NodeJS.ProcessEnv;
  readonly #stop: () => Promise<void>;

  private constructor(env: NodeJS.ProcessEnv, keys: DemoKeys, stop: () => Promise<void>) {
    this.#env = env;
    this.keys = keys;
    this.#stop = stop;
  }

  static async open(): Promise<Stage> {
    const folder = mkdtempSync(join(tmpdir(), 'suuq-demo-'));
    const env = environment(folder);
    const child = spawn(process.execPath, [command, 'start'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...env,
        PORT: '0',
        SUUQ_SANDBOX: 'on',
        SUUQ_DEMO: 'empty',
        SUUQ_LOG: 'error',
        SUUQ_ALLOW_LOOPBACK_WEBHOOKS: '1',
      },
    });
    const stop = async (): Promise<void> => {
      await ended(child);
      rmSync(folder, { recursive: true, force: true });
    };
    const deadline = Date.now() + START_MS;
    while (Date.now() < deadline && child.exitCode === null) {
      const card = read<Card>(folder, 'service.json');
      const ready = card?.baseUrl && (await fetch(`${card.baseUrl}/readyz`).catch(() => undefined));
      if (card && ready && ready.status === 200) {
        const keys = read<DemoKeys>(folder, 'demo.json') ?? ownPartner(env, card);
        return new Stage(env, keys, stop);
      }
      await pause(20);
    }
    await stop();
    throw new Error('The service did not start. See its message above.');
  }

  /** An operator's command on this folder; answers its JSON, or its text. */
  operator(...words: string[]): string {
    return operator(this.#env, words);
  }

  close(): Promise<void> {
    return this.#stop();
  }
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const late = setTimeout(() => {
      process.stderr.write(`The service did not stop within ${STOP_MS / 1000} s and was killed.\n`);
      child.kill('SIGKILL');
    }, STOP_MS);
    child.once('exit', () => {
      clearTimeout(late);
      resolve();
    });
    child.kill('SIGTERM');
  });
}

function operator(env: NodeJS.ProcessEnv, words: readonly string[]): string {
  const deadline = Date.now() + STEP_MS;
  for (;;) {
    const ran = spawnSync(process.execPath, [command, ...words], { env, encoding: 'utf8', timeout: START_MS });
    if (ran.status === 0) return ran.stdout;
    if (!isPassing(ran.stderr) || Date.now() > deadline)
      throw new Error(`suuq ${words.join(' ')} ended with ${ran.status}: ${ran.stderr}`);
  }
}

/** Engines that hold something already have no demo of their own: a partner for this run is made as an operator does. */
function ownPartner(env: NodeJS.ProcessEnv, { baseUrl, sandboxUrl }: Card): DemoKeys {
  const admin = (...words: string[]) => JSON.parse(operator(env, ['admin', ...words, '--json']));
  const name = `demo-${randomBytes(4).toString('hex')}`;
  const features = ['commerce.catalog', 'commerce.orders', 'channel.number', 'workspace.core'];
  admin('plans', 'put', '--key', name, '--name', name, ...features.flatMap((feature) => ['--feature', feature]));
  const partner = admin('partners', 'create', '--name', 'Demo partner', '--slug', name, '--plan', name);
  const scopes = [...PARTNER_SCOPES, ...WORKSPACE_SCOPES].flatMap((scope) => ['--scope', scope]);
  const create = ['keys', 'create', '--partner', partner.id, '--mode', 'test'];
  const { key: secretKey } = admin(...create, ...scopes);
  const { key: publishableKey } = admin(...create, '--kind', 'publishable');
  return { baseUrl, partner: { id: partner.id, secretKey, publishableKey }, sandbox: { baseUrl: sandboxUrl } };
}

function read<T>(folder: string, file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, file), 'utf8')) as T;
  } catch {
    return undefined;
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Polls until the answer is as expected, for at most `limitMs`. */
export async function eventually<T>(
  what: string,
  load: () => Promise<T>,
  good: (value: T) => boolean,
  limitMs = STEP_MS,
): Promise<T> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const value = await load();
    if (good(value)) return value;
    if (Date.now() > deadline)
      throw new Error(`${what}: not within ${limitMs / 1000} s; last seen: ${JSON.stringify(value).slice(0, 600)}`);
    await pause(50);
  }
}

/** Most bytes of a delivery that are read. */
const MOST_BYTES = 10 * 1024 * 1024;

/** A partner's server: takes webhooks, and believes only what is rightly signed. */
export class WebhookReceiver {
  readonly events: WebhookEvent[] = [];
  readonly wronglySigned: string[] = [];
  secret = '';
  readonly #app = express();
  readonly #server = createServer(this.#app);

  constructor() {
    // The body's bytes as they came: the signature is over them, and no parser may have had them before.
    this.#app.post(
      '/webhooks',
      express.raw({ type: 'application/json', limit: MOST_BYTES }),
      async (request, response) => {
        const header = request.get('service-signature') ?? '';
        const body: unknown = request.body;
        try {
          this.events.push(await verifyWebhook(Buffer.isBuffer(body) ? body : '', header, this.secret));
          response.status(204).end();
        } catch (error) {
          if (!(error instanceof WebhookRefused)) throw error;
          this.wronglySigned.push(header);
          response.status(401).end();
        }
      },
    );
  }

  async listen(): Promise<string> {
    return `http://127.0.0.1:${await listen(this.#server, '127.0.0.1', 0)}/webhooks`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
