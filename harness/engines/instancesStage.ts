/**
 * Several instances of the service as processes of their own, on shared engines: the servers that EVENTSTORE_URL and
 * MONGODB_URL name, or the protocol endpoint of an embedded store (a process too) and the emulator of MongoDB.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { WORKSPACE_SCOPES } from '../../domain/access/scopes.js';
import {
  type Demo,
  EMBEDDED,
  type ServiceProcess,
  startService,
  suuqCommand,
  temporaryFolder,
} from '../service/serviceProcess.js';
import { type EndpointProcess, startEndpoint } from './endpointProcess.js';
import { type FaultyProxy, faultyProxy } from './faultyProxy.js';
import { emulator, type MongoPlace, server, testDatabase } from './mongoStage.js';
import { http2Frames, mongoMessages } from './wireMessages.js';

const realEvents = process.env.EVENTSTORE_URL || undefined;
const mongo: MongoPlace = process.env.MONGODB_URL ? server : emulator;

/** Why no instances can run here; undefined when they can. */
export const noInstances: string | undefined = mongo.missing;

const CHANNEL_KEYS = {
  SUUQ_CHANNEL_TOKEN: 'stage-token',
  SUUQ_CHANNEL_APP_SECRET: 'stage-secret',
  SUUQ_CHANNEL_VERIFY_TOKEN: 'stage-verify',
};

export interface Store {
  readonly workspaceId: string;
  readonly secretKey: string;
  readonly channel: Demo['channel'];
}

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface InstancesStage {
  readonly sandboxUrl: string;
  /** The ways to the engines that are this stage's own, to be broken; a server that the environment names has none. */
  readonly ways: { readonly events?: FaultyProxy; readonly documents?: FaultyProxy };
  /** Starts, or starts again, the instance of this name. */
  start(name: string, env?: Readonly<Record<string, string>>, readyMs?: number): Promise<ServiceProcess>;
  /** The command line with the data folder of an instance, which need not run. */
  suuq(name: string, ...words: string[]): Promise<Ran>;
  /** The same, answering its JSON document. */
  // biome-ignore lint/suspicious/noExplicitAny: results of many shapes, looked into by tests
  json(name: string, ...words: string[]): Promise<any>;
  /** A plan, a partner and a store with its key and channel number, created by the operator of instance `name`. */
  store(name: string): Promise<Store>;
  close(): Promise<void>;
}

async function freePort(): Promise<number> {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  taken.close();
  await once(taken, 'close');
  return port;
}

async function firstLine(child: ChildProcess): Promise<string> {
  const [chunk] = (await once(child.stdout!, 'data')) as [Buffer];
  return chunk.toString().trim();
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await exit;
  clearTimeout(late);
}

/** Runs the command line. Not spawnSync: the ways to the engines are in this process. */
async function run(words: readonly string[], environment: Readonly<Record<string, string>>): Promise<Ran> {
  const child = spawn(process.execPath, [suuqCommand, ...words], { env: { ...process.env, ...environment } });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const late = setTimeout(() => child.kill('SIGKILL'), 150_000);
  const [status] = (await once(child, 'close')) as [number | null];
  clearTimeout(late);
  return { status, stdout, stderr };
}

/** The sandbox calls the first instance, whose port is chosen before it starts. */
export async function instancesStage(settings: Readonly<Record<string, string>> = {}): Promise<InstancesStage> {
  const folder = temporaryFolder('suuq-instances-');
  const database = await testDatabase(mongo);
  const running: ServiceProcess[] = [];
  let endpoint: EndpointProcess | undefined;
  const engines: Record<string, string> = { MONGODB_URL: database.url };
  const ways: { events?: FaultyProxy; documents?: FaultyProxy } = {};
  if (realEvents !== undefined) engines.EVENTSTORE_URL = realEvents;
  else {
    endpoint = await startEndpoint(join(folder.path, 'events'));
    ways.events = await faultyProxy(endpoint.address, http2Frames);
    engines.EVENTSTORE_URL = `esdb://${ways.events.address}?tls=false`;
  }
  if (mongo.isEmulator) {
    const { host, pathname } = new URL(database.url);
    ways.documents = await faultyProxy(host, mongoMessages);
    engines.MONGODB_URL = `mongodb://${ways.documents.address}${pathname}`;
  }
  const port = await freePort();
  const sandbox = spawn(process.execPath, [suuqCommand, 'sandbox'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ...EMBEDDED,
      ...CHANNEL_KEYS,
      MONGODB_URL: database.url,
      SUUQ_DATA: join(folder.path, 'sandbox'),
      SUUQ_SANDBOX_PORT: '0',
      SUUQ_SANDBOX_WEBHOOK_URL: `http://127.0.0.1:${port}/channel/webhook`,
      SUUQ_LOG: 'error',
    },
  });
  const sandboxUrl = /http:\/\/\S+:\d+/.exec(await firstLine(sandbox))![0];
  const ports = new Map<string, number>();
  const environment = (name: string): Record<string, string> => ({
    ...engines,
    ...CHANNEL_KEYS,
    SUUQ_DATA: join(folder.path, name),
    SUUQ_INSTANCE: name,
    SUUQ_MASTER_KEY: '5c'.repeat(32),
    SUUQ_SANDBOX: 'off',
    SUUQ_CHANNEL_URL: sandboxUrl,
    ...settings,
  });
  const suuq: InstancesStage['suuq'] = (name, ...words) => run(words, environment(name));
  const json: InstancesStage['json'] = async (name, ...words) => {
    const ran = await suuq(name, ...words, '--json');
    if (ran.status !== 0) throw new Error(`suuq ${words.join(' ')} ended with ${ran.status}: ${ran.stderr}`);
    return JSON.parse(ran.stdout);
  };
  return {
    sandboxUrl,
    ways,
    suuq,
    json,
    async start(name, env = {}, readyMs) {
      if (!ports.has(name)) ports.set(name, ports.size === 0 ? port : 0);
      const own = { ...environment(name), PORT: String(ports.get(name)), ...env };
      const service = await startService(join(folder.path, name), own, readyMs);
      running.push(service);
      return service;
    },
    async store(name) {
      const id = randomBytes(4).toString('hex');
      const admin = (...words: string[]) => json(name, 'admin', ...words);
      const features = ['commerce.catalog', 'commerce.orders', 'channel.number', 'workspace.core'];
      await admin('plans', 'put', '--key', id, '--name', id, ...features.flatMap((feature) => ['--feature', feature]));
      const partner = await admin('partners', 'create', '--name', id, '--slug', `p-${id}`, '--plan', id);
      const { workspaceId } = await admin(
        ...['stores', 'create', '--partner', partner.id, '--external-ref', 'shop', '--name', 'Shop', '--country', 'SO'],
        ...['--owner-email', 'a@example.com', '--owner-name', 'A', '--timezone', 'UTC'],
      );
      const key = await admin(
        ...['keys', 'create', '--workspace', workspaceId, '--mode', 'test'],
        ...WORKSPACE_SCOPES.flatMap((scope) => ['--scope', scope]),
      );
      const channel = await admin('numbers', 'connect', '--workspace', workspaceId);
      return { workspaceId, secretKey: key.key, channel };
    },
    async close() {
      await Promise.all(running.map((service) => service.stop()));
      await Promise.all([ended(sandbox), endpoint?.stop()]);
      await Promise.all([ways.events?.close(), ways.documents?.close()]);
      await database.close();
      folder.remove();
    },
  };
}
