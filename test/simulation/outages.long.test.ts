/**
 * From cart to delivered webhook while single engines refuse or ignore every call: nothing stops, and every effect
 * happens once.
 */
import { expect } from 'chai';
import type { Ended } from './invariants/invariant.js';
import { everyOutage, type Outage } from './outages.js';
import { run } from './run.js';

const MINUTE = 60_000;
/** Durations in ms: calls are refused for one minute and for ten, then ignored for ten. */
const DURATIONS = { refused: [MINUTE, 10 * MINUTE], lost: [10 * MINUTE] };
const SEED = 1;

/** Lists the effects that reached the outside more than once. */
function twice({ people: { messages, payments, sender } }: Ended): string[] {
  const times = new Map<string, number>();
  const note = (what: string): void => void times.set(what, (times.get(what) ?? 0) + 1);
  for (const { url, eventId, eventType } of sender.tried) note(`${eventType} ${eventId} to ${url}`);
  for (const { message } of messages.sent) note(`message ${message.messageId} (${message.content.type})`);
  for (const { reference, requests } of payments.charges.values())
    for (let i = 0; i < requests; i++) note(`charge ${reference}`);
  return [...times].flatMap(([what, count]) => (count > 1 ? [`${what}: ${count} times`] : []));
}

describe('the journey from a cart to its webhook', () => {
  async function lived(outages: readonly Outage[], shared: boolean): Promise<Ended> {
    const all: Ended[] = [];
    const { violations } = await run(SEED, { outages, shared, ended: (one) => void all.push(one) });
    expect(violations, 'nothing has stopped, nothing is missing').to.deep.equal([]);
    const types = new Set(all[0]!.data.log.events.map(({ type }) => type));
    expect([...types]).to.include.members(['OrderPlaced', 'OrderPaid', 'MessageAccepted']);
    return all[0]!;
  }

  it('is completed once, whichever of the embedded engines is unavailable for one or ten minutes', async function () {
    this.timeout(120_000);
    expect(twice(await lived(everyOutage(['log', 'views', 'work'], DURATIONS), false))).to.deep.equal([]);
  });

  it('is completed once, if the servers of the log or of the read models are unavailable for one or ten minutes', async function () {
    this.timeout(120_000);
    const outages = everyOutage(['log', 'views'], DURATIONS);
    expect(twice(await lived(outages, true))).to.deep.equal([]);
  });

  it('is completed while the lease server is unavailable: webhooks in progress when leases ended may be sent twice', async function () {
    this.timeout(120_000);
    const again = twice(await lived(everyOutage(['work'], DURATIONS), true));
    expect(again.filter((what) => !what.includes(' to https://'))).to.deep.equal([]);
  });
});
