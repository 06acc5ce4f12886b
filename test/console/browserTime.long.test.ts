/** A store through time in Chromium: version comparison, past prices, trial carts, and runtime state. */
import { expect } from 'chai';
import { consolePages } from '../support/browser/consoleBrowser.js';
import { openConsoleDay } from '../support/browser/consoleDay.js';
import { faultsOnEachScreen } from '../support/browser/consoleFaults.js';

describe('a store through time in a browser', function () {
  this.timeout(240_000);
  const pages = consolePages(openConsoleDay, (day, ...words) => day.link(...words));
  const at = (place: string): string => `${pages.seen.baseUrl}/console${place}`;
  const ofStore = (page: string): string => at(`/s/${pages.seen.workspaceId}/${page}`);
  const asStore = () => pages.signedIn('link', '--workspace', pages.seen.workspaceId);

  it('compares an order when placed with its later state', async () => {
    const { page, context } = await asStore();
    await page.goto(ofStore(`orders/${pages.seen.orderId}`));
    await page.getByRole('complementary', { name: 'Timeline' }).getByRole('link', { name: 'Compare versions' }).click();
    await page.getByRole('heading', { name: 'Compare versions' }).waitFor();
    const differs = page.getByRole('complementary', { name: 'Differences' });
    await differs.getByText('order/status').waitFor();
    expect(await differs.locator('li', { hasText: 'order/status' }).textContent()).to.match(/"new".*"delivered"/);
    await page.getByRole('link', { name: 'Events in between' }).click();
    await page.getByRole('link', { name: 'OrderStatusChanged' }).first().waitFor();
    expect(new URL(page.url()).searchParams.get('stream')).to.equal(`order-${pages.seen.orderId}`);
    await context.close();
  });

  it('follows an event back to the original message, and on to its effects', async () => {
    const { page, context } = await asStore();
    await page.goto(at(`/events?stream=order-${pages.seen.orderId}&type=OrderPlaced`));
    await page.getByRole('link', { name: 'OrderPlaced' }).click();
    const before = page.getByRole('list', { name: 'Causes' });
    await before.getByRole('link', { name: 'Message received' }).waitFor();
    const after = page.getByRole('list', { name: 'Effects' });
    // Three levels below: the message to the customer was queued, accepted, and recorded in the order.
    await after.locator('ol ol ol').getByRole('link', { name: 'Order summary sent' }).waitFor();
    await after.getByText('order.created').first().waitFor();
    await page.getByRole('link', { name: 'First request of this chain' }).waitFor();
    await after.getByRole('link', { name: 'Order summary sent' }).click();
    await page.getByRole('heading', { name: 'Order summary sent' }).waitFor();
    await before.getByRole('link', { name: 'Order placed' }).waitFor();
    await context.close();
  });

  it('filters orders by checkout, and by days of the store', async () => {
    const { page, context } = await asStore();
    await page.goto(ofStore('orders'));
    await page.getByRole('row').nth(1).waitFor();
    const requested = page.waitForRequest(/\/orders\?.*checkedOut=true.*from=/);
    await page.getByRole('combobox', { name: 'Checked out' }).selectOption('yes');
    await page.getByLabel('From').fill('2026-03-02');
    // Midnight in Mogadishu.
    expect(new URL((await requested).url()).searchParams.get('from')).to.equal('2026-03-01T21:00:00.000Z');
    await page.getByRole('row').nth(1).waitFor();
    // A typed time is in the store's time zone. The address contains the instant, the field shows the typed time.
    await page.goto(at('/events'));
    await page.getByLabel('From').fill('2026-03-02T00:30');
    await page.waitForURL(/from=2026-03-01T21%3A30%3A00\.000Z/);
    expect(await page.getByLabel('From').inputValue()).to.equal('2026-03-02T00:30');
    await context.close();
  });

  it('finds a rejected product, the reason, and the history of pushes', async () => {
    const { page, context } = await asStore();
    await page.goto(ofStore('catalog'));
    await page.getByRole('button', { name: 'Rejected' }).click();
    const row = page.getByRole('row').nth(1);
    await row.getByText('Rejected').waitFor();
    expect(await page.getByRole('row').count(), 'the heading and one product').to.equal(2);
    await row.getByRole('link').click();
    await page.getByRole('heading', { name: 'Earlier versions' }).waitFor();
    await page.getByText('Rejected').first().waitFor();
    await page.getByRole('slider', { name: 'Time of the product' }).focus();
    await page.keyboard.press('Home');
    await page.getByText('Queued', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Product added' }).waitFor();
    await context.close();
  });

  it('explains the price of a cart by customer and destination', async () => {
    const { page, context } = await asStore();
    await page.goto(ofStore('cart'));
    await page.getByText('The cart is empty').waitFor();
    await page.getByRole('combobox', { name: 'Item' }).fill('SKU-07');
    await page.keyboard.press('Enter');
    await page.getByText('Flash sales reduced').waitFor();
    await page.getByRole('spinbutton').fill('3');
    await page.keyboard.press('Tab');
    await page.getByText('List price').waitFor();
    await page.getByText('3 pieces', { exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Fulfilment' }).selectOption({ label: 'Hodan' });
    await page.getByRole('main').getByText('Delivery', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('lines')).to.equal('SKU-07:3');
    const { workspaceId, partner } = pages.seen;
    const scarf = {
      name: 'Wool scarf',
      imageUrls: ['https://images.example.com/scarf.jpg'],
      priceCents: 4000,
      salePriceCents: 3000,
    };
    await partner.upsertProduct({ workspaceId, externalId: 'scarf', body: scarf });
    await page.goto(ofStore('cart?lines=scarf:2'));
    const sale = page.getByRole('listitem').filter({ hasText: 'Sale' }).first();
    expect(await sale.textContent()).to.match(/^SaleWool scarf.*-\$20\.00$/);
    await context.close();
  });

  it('has no axe violations and no horizontal scrolling', async () => {
    const { page, context } = await pages.signedIn();
    const places = ['catalog', 'catalog/SKU-02', 'cart?lines=SKU-02:2,SKU-07:1,NOTHING:1', 'moments'];
    const order = `moments?kind=order&id=${pages.seen.orderId}`;
    const faults = await faultsOnEachScreen(page, [...places, order].map(ofStore).concat(at('/instances')));
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('shows what is running, and its recent lag', async () => {
    const { page, context } = await pages.signedIn();
    await page.goto(at('/instances'));
    await page.getByRole('heading', { name: 'Engines' }).waitFor();
    await page.getByText('available', { exact: true }).first().waitFor();
    await page.goto(at('/machine'));
    await page.getByRole('img', { name: /^Lag: / }).waitFor();
    await page.getByRole('button', { name: /^Plots of orders: 0 events behind/ }).click();
    await page.getByRole('img', { name: /^orders, behind: 0 events now/ }).waitFor();
    await page
      .getByRole('img', { name: /^Events handled: / })
      .nth(1)
      .waitFor();
    await page.reload();
    await page.getByRole('img', { name: /^orders, behind: / }).waitFor();
    await page.getByRole('button', { name: /^Plots of orders/ }).click();
    await page.getByRole('img', { name: /^orders, behind: / }).waitFor({ state: 'detached' });
    const faults = await faultsOnEachScreen(page, [at('/machine?processor=templates')]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('shows the owner of a processor and its pending tasks, and retries them', async () => {
    const { page, context } = await pages.signedIn();
    await page.goto(at('/machine'));
    const row = page.getByRole('region', { name: 'Processors' }).getByRole('row', { name: /^templates / });
    await row.getByText('this instance').waitFor();
    await row.getByRole('button', { name: /^Plots of templates: 0 events behind/ }).click();
    await page.getByRole('img', { name: /^Performed: / }).waitFor();
    const tasks = page.getByRole('region', { name: 'Tasks of templates' });
    await tasks
      .getByRole('button', { name: /^Try now: daily\// })
      .first()
      .click();
    await page.getByText(/^daily\/.* is due now\.$/).waitFor();
    const { events } = await (await page.request.get(at('/api/events?stream=processor-templates'))).json();
    expect(events.map(({ type }: { type: string }) => type)).to.deep.equal(['ProcessorRetried']);
    await page.getByRole('button', { name: 'Retry all waiting tasks' }).click();
    await page.getByText('templates has no failed task that waits for a retry').waitFor();
    pages.troubles.splice(0);
    await context.close();
    const auditor = await pages.signedIn('--role', 'auditor');
    await auditor.page.goto(at('/machine?processor=templates'));
    await auditor.page.getByRole('region', { name: 'Tasks of templates' }).waitFor();
    expect(await auditor.page.getByRole('button', { name: /^Try/ }).count()).to.equal(0);
    await auditor.context.close();
  });

  it('shows the event at which a read model stopped, and rebuilds it', async () => {
    const { page, context } = await pages.signedIn();
    const found = await page.request.get(at('/api/events?type=OrderPlaced&limit=1'));
    const [event] = (await found.json()).events;
    await page.route('**/console/api/machine', async (route) => {
      const answer = await route.fetch();
      const machine = await answer.json();
      const { id: eventId, type, stream, position } = event;
      machine.projections[0].poison = { eventId, type, stream, position, error: 'no such currency <b>' };
      await route.fulfill({ response: answer, json: machine });
    });
    await page.goto(at('/machine'));
    await page.getByText('no such currency <b>').waitFor();
    await page.getByText('The event', { exact: true }).click();
    await page.getByText('"lines": [').waitFor();
    await page.getByRole('button', { name: /^Try again.*: \w+$/ }).click();
    await page.getByText('Rebuild started.').waitFor();
    await page.getByRole('textbox', { name: 'Reason to skip it' }).waitFor();
    await context.close();
    const auditor = await pages.signedIn('--role', 'auditor');
    await auditor.page.goto(at('/machine'));
    await auditor.page.getByRole('heading', { name: 'Processors' }).waitFor();
    expect(await auditor.page.getByRole('button', { name: /Rebuild|again/ }).count()).to.equal(0);
    await auditor.context.close();
  });
});
