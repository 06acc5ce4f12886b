/** Kills the service repeatedly, under load and next to reading commands, from one seed. Then checks the result. */
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  killWhileStarting,
  readDemo,
  type ServiceProcess,
  startService,
} from '../../harness/service/serviceProcess.js';
import { until } from '../support/doubles/fakeClock.js';
import { eventOf, receiver } from '../support/doubles/receiver.js';
import { Presence, startLanes } from './lanes.js';
import { type Ledger, newLedger, noting } from './ledger.js';
import { COUPON, COUPON_USES, loadUntilKilled, type Next, PRODUCTS } from './load.js';
import { randomOf } from './random.js';
import { Shop } from './shop.js';

/** Longest life of the service after its first acknowledged change, ms. */
const LIFE_MS = 2_500;
/** One in this many kills hits the start. Another hits a service that has written this much or lived this long. */
const STARTS = 5;
const LONG_BYTES = 5 * 1024 * 1024;
const LONG_MS = 15_000;
/** A start takes about this long, ms. */
const START_MS = 900;
/** One in this many deliveries is answered with 500. */
const FAULTS = 20;
/** Most failures of one event. Its next attempt would come two minutes later, after the invariants are checked. */
const FAULTS_OF_ONE = 2;
/** Longest wait for a command that uses the folder, ms. */
const FREE_MS = 120_000;
const IN_USE = /data_folder_in_use|in use/;

export interface Ruins {
  readonly shop: Shop;
  readonly service: ServiceProcess;
  readonly ledger: Ledger;
  /** Ends the service; the folder stays. */
  close(): Promise<void>;
}

async function furnish(shop: Shop, url: string): Promise<void> {
  for (let n = 0; n < PRODUCTS; n += 1) await shop.product(`P${n}`, 100 + n);
  const events = ['order.created', 'order.checked_out', 'order.status_changed'];
  const coupon = { name: 'Few', kind: 'coupon', code: COUPON, percentOff: 10, maxRedemptions: COUPON_USES };
  const made = [
    await shop.call('POST', '/webhook-endpoints', { url, events }),
    await shop.call('POST', '/commerce/promotions', coupon),
  ];
  for (const { status, body } of made) if (status !== 201) throw new Error(`furnished: ${JSON.stringify(body)}`);
}

export interface Killing {
  readonly seed: number;
  readonly kills: number;
  /** No kill happens after this time, ms. */
  readonly withinMs?: number;
  progress?(done: number, ledger: Ledger): void;
}

/** Leaves the service running on the data that the kills have left. The seed determines the moments of the kills. */
export async function killAgainAndAgain(
  folder: string,
  { kills, seed, withinMs = Number.POSITIVE_INFINITY, progress }: Killing,
): Promise<Ruins> {
  const random = randomOf(seed);
  const ledger = newLedger();
  const [arrives, isDelivered] = [noting(ledger.arrived), noting(ledger.delivered)];
  const hooks = await receiver();
  const faults = new Map<string, number>();
  hooks.answerBy((received) => {
    arrives(received);
    const { id } = eventOf(received);
    const before = faults.get(id) ?? 0;
    if (before < FAULTS_OF_ONE && random() < 1 / FAULTS) {
      faults.set(id, before + 1);
      return 500;
    }
    isDelivered(received);
    return 204;
  });
  const first = await startService(folder);
  await furnish(new Shop(first.baseUrl, readDemo(folder)), hooks.url);
  await first.stop();
  const { workspaceId } = readDemo(folder).store;
  const presence = new Presence();
  const known = () => ({ workspaceId, orderId: [...ledger.checkedOut].at(-1) });
  const lanes = startLanes({ folder, scratch: `${folder}.commands`, seed, ledger, presence, known });
  const next: Next = { cart: 0, price: 1000, file: 0, user: 0 };
  const deadline = performance.now() + withinMs;
  for (let kill = 0; kill < kills && performance.now() < deadline; kill += 1) {
    if (kill % STARTS === STARTS - 1) noteEnd(ledger, await killWhileStarting(folder, random() * START_MS));
    else {
      const running = await startWhenFree(folder, presence);
      const load = loadUntilKilled(new Shop(running.baseUrl, readDemo(folder)), ledger, next);
      const before = acknowledged(ledger);
      await until(
        'a change is acknowledged',
        () => acknowledged(ledger) > before || running.endedByItself() !== undefined,
      );
      if (kill % STARTS === 1) await longLife(folder, running);
      await new Promise((resolve) => setTimeout(resolve, random() * LIFE_MS));
      presence.went();
      noteEnd(ledger, running.endedByItself());
      await running.kill();
      await load;
    }
    progress?.(kill + 1, ledger);
  }
  const service = await startWhenFree(folder, presence);
  await lanes.stop();
  noteEnd(ledger, service.endedByItself());
  rmSync(`${folder}.commands`, { recursive: true, force: true });
  const close = async (): Promise<void> => {
    await service.stop();
    await hooks.close();
  };
  return { shop: new Shop(service.baseUrl, readDemo(folder)), service, ledger, close };
}

const acknowledged = ({ changes }: Ledger): number => changes.acknowledged;

/**
 * Waits until the write-ahead log is long enough to be moved, so that kills and commands also meet the handling of long
 * ones.
 */
async function longLife(folder: string, running: ServiceProcess): Promise<void> {
  const deadline = performance.now() + LONG_MS;
  const size = (): number => statSync(join(folder, 'events.db-wal'), { throwIfNoEntry: false })?.size ?? 0;
  while (size() < LONG_BYTES && performance.now() < deadline && running.endedByItself() === undefined)
    await new Promise((resolve) => setTimeout(resolve, 100));
  await new Promise((resolve) => setTimeout(resolve, LIFE_MS));
}

/**
 * A command that found no service may use the folder for a moment. A start then fails with an error that names the
 * reason.
 */
const isRefused = (end: string): boolean => IN_USE.test(end);

function noteEnd(ledger: Ledger, end: string | undefined): void {
  if (end !== undefined && !isRefused(end)) ledger.ends.push(end);
}

async function startWhenFree(folder: string, presence: Presence): Promise<ServiceProcess> {
  const deadline = performance.now() + FREE_MS;
  for (;;)
    try {
      const service = await startService(folder);
      presence.isStarting = false;
      presence.came(service.pid);
      return service;
    } catch (error) {
      if (!isRefused(String(error)) || performance.now() > deadline) throw error;
      presence.isStarting = true;
    }
}
