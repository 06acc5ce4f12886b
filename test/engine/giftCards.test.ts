import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../../harness/service/serviceProcess.js';
import { openEmbeddedEventStore } from '../../infrastructure/sqlite/eventStore/embeddedEventStore.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { until } from '../support/doubles/fakeClock.js';
import { given } from '../support/spec/given.js';
import { type GiftCardEvent, giftCard, issue, type Mail, redeem, run } from './giftCards.js';

const issued: GiftCardEvent = issue(50_00, 'asha@example.com')()[0]!;

describe('the engine example of the documentation', () => {
  it('decides commands', () => {
    given(giftCard, issued).when(redeem('o1', 50_01)).thenRefused('balance_too_low');
    const redeemed = { type: 'GiftCardRedeemed', data: { orderId: 'o1', amountCents: 20_00 } } as const;
    given(giftCard, issued).when(redeem('o1', 20_00)).then([redeemed]);
    given(giftCard, issued, redeemed).when(redeem('o1', 20_00)).then([]);
  });

  it('shows the result of a command, and performs its task once', async () => {
    const folder = temporaryFolder('suuq-engine-');
    const events = await openEmbeddedEventStore(folder.path);
    const views = openEmbeddedReadModels(join(folder.path, 'views.db'));
    const work = openEmbeddedReadModels(join(folder.path, 'work.db'));
    const mails: Mail[] = [];
    try {
      const { card, stop } = await run(events, views, work, async (mail) => void mails.push(mail));
      expect(card?.body).to.deep.equal({ balanceCents: 30_00, uses: 1 });
      await until('the mail went out', () => mails.length > 0);
      await stop();
      expect(mails).to.deep.equal([{ to: 'asha@example.com', text: '5000 cents for you' }]);
    } finally {
      await Promise.all([views.close(), work.close(), events.close()]);
      folder.remove();
    }
  });
});
