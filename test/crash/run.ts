/** Kills the service again and again under load, from one seed, and looks at what is left. */
import { until } from '../support/fakeClock.js';
import { eventOf, receiver } from '../support/receiver.js';
import { killWhileStarting, readDemo, type ServiceProcess, startService } from '../support/serviceProcess.js';
import { type Ledger, newLedger, noting } from './ledger.js';
import { COUPON, COUPON_USES, loadUntilKilled, type Next, PRODUCTS } from './load.js';
import { Shop } from './shop.js';

/** Longest life of the service from its first acknowledged change on, ms. */
const LIFE_MS = 2_500;
/** One of so many kills meets the start. */
const STARTS = 5;
/** A start takes about this long, ms. */
const START_MS = 900;
/** Of so many deliveries one is answered 500. */
const FAULTS = 20;
/** One event is answered 500 so often at most: its next attempt would come two minutes later, after the invariants have been looked at. */
const FAULTS_OF_ONE = 2;

export interface Ruins {
  readonly shop: Shop;
  readonly service: ServiceProcess;
  readonly ledger: Ledger;
  /** Ends the service; the folder stays. */
  close(): Promise<void>;
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
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

/** Leaves the service running on what `kills` ends have left. The moments of the kills come from the seed. */
export async function killAgainAndAgain(
  folder: string,
  { kills, seed, progress }: { kills: number; seed: number; progress?: (done: number, ledger: Ledger) => void },
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
  const next: Next = { cart: 0, price: 1000, file: 0, user: 0 };
  for (let kill = 0; kill < kills; kill += 1) {
    if (kill % STARTS === STARTS - 1) await killWhileStarting(folder, random() * START_MS);
    else {
      const running = await startService(folder);
      const load = loadUntilKilled(new Shop(running.baseUrl, readDemo(folder)), ledger, next);
      const before = ledger.acknowledged.size + ledger.carts.size;
      await until('a change is acknowledged', () => ledger.acknowledged.size + ledger.carts.size > before);
      await new Promise((resolve) => setTimeout(resolve, random() * LIFE_MS));
      await running.kill();
      await load;
    }
    progress?.(kill + 1, ledger);
  }
  const service = await startService(folder);
  const close = async (): Promise<void> => {
    await service.stop();
    await hooks.close();
  };
  return { shop: new Shop(service.baseUrl, readDemo(folder)), service, ledger, close };
}
