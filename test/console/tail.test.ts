/** The live tail over HTTP: server-sent events from a browser's last position, limited by permissions. */
import { expect } from 'chai';
import {
  type Browser,
  type ConsoleStage,
  OTHER,
  openConsoleStage,
  SHOP,
  signedIn,
} from '../support/stages/consoleStage.js';
import { ConsoleTab } from '../support/stages/consoleTab.js';

interface Message {
  readonly events: readonly { readonly position: number; readonly workspaceId: string; readonly summary: string }[];
  readonly left: number;
}

const positionsOf = (messages: readonly Message[]): number[] =>
  messages.flatMap(({ events }) => events.map(({ position }) => position));

/** Resolves with the received positions once there are at least `count`. */
async function seenBy(tab: ConsoleTab<Message>, count: number): Promise<number[]> {
  await tab.until((messages) => positionsOf(messages).length >= count);
  return positionsOf(tab.messages);
}

const open = (stage: ConsoleStage, browser: Browser, query = '', headers: Record<string, string> = {}) =>
  ConsoleTab.open<Message>(stage, browser, `/tail${query}`, headers);

describe('the event stream of the console', () => {
  const on = signedIn();

  it('sends events, to store members only those of their store', async () => {
    const query = '?type=OrderSummarySent';
    const since = await on.stage.eventStore.head();
    const all = await open(on.stage, on.operator, `${query}&since=${since}`);
    const own = await open(on.stage, on.shop, `${query}&since=${since}&workspace=${OTHER}`);
    const other = await on.stage.moveOn(OTHER);
    const mine = await on.stage.moveOn(SHOP);
    expect(await seenBy(all, 2)).to.deep.equal([other, mine]);
    expect(await seenBy(own, 1)).to.deep.equal([mine]);
    expect(own.messages[0]!.events[0]).to.include({ workspaceId: SHOP });
    all.close();
    own.close();
  });

  it("continues from the browser's last event, without gaps or duplicates", async () => {
    const first = await open(on.stage, on.operator, `?type=OrderSummarySent&since=${await on.stage.eventStore.head()}`);
    const seen = [await on.stage.moveOn(SHOP)];
    await seenBy(first, 1);
    const { id } = first.messages[0]!;
    first.close();
    seen.push(await on.stage.moveOn(SHOP), await on.stage.moveOn(OTHER));
    const second = await open(on.stage, on.operator, '?type=OrderSummarySent', { 'last-event-id': String(id) });
    seen.push(await on.stage.moveOn(SHOP));
    expect(await seenBy(second, 3)).to.deep.equal(seen.slice(1));
    second.close();
  });

  it('records that an auditor follows the log', async () => {
    const auditor = await on.stage.signIn({ role: 'auditor' });
    const tab = await open(on.stage, auditor, '?area=orders');
    const reads = await on.stage.eventStore.readStream(`consoleReads-${auditor.sessionId}`);
    expect(reads.map(({ data }) => data)).to.deep.equal([
      { operation: 'console.tail', path: '/console/api/tail?area=orders', role: 'auditor' },
    ]);
    tab.close();
  });

  it('does not prevent a server from closing', async () => {
    const closing = await openConsoleStage();
    const tab = await open(closing, await closing.signIn({ role: 'operator' }));
    const began = performance.now();
    await Promise.all([closing.close(), tab.ended]);
    expect(performance.now() - began).to.be.below(5000);
  });
});
