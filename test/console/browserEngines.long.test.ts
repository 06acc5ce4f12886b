/** The same pages on the other engines: the protocol of EventStoreDB, MongoDB's, and the sandbox as a process of its own. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { instancesStage, noInstances } from '../../harness/engines/instancesStage.js';
import { consolePages } from '../support/browser/consoleBrowser.js';

const CUSTOMER = '+252615550133';

async function open() {
  const stage = await instancesStage();
  try {
    const { baseUrl } = await stage.start('one');
    const { workspaceId, secretKey } = await stage.store('one');
    const product = { name: 'Linen shirt', imageUrls: ['https://images.example.com/a.jpg'], priceCents: 1500 };
    const put = await fetch(`${baseUrl}/api/v1/workspaces/${workspaceId}/commerce/products/shirt`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(product),
    });
    expect(put.status, await put.clone().text()).to.be.below(300);
    return { baseUrl, workspaceId, stage, close: () => stage.close() };
  } catch (error) {
    await stage.close();
    throw error;
  }
}

const title = 'the console on EventStoreDB’s protocol and MongoDB’s';
if (noInstances !== undefined) it(`${title} (${noInstances})`);
else
  describe(title, function () {
    this.timeout(120_000);
    const pages = consolePages(
      open,
      async ({ stage }, ...words) => (await stage.json('one', 'console', ...words)).url as string,
    );

    it('shows each page, including the phone’s order, and live updates', async () => {
      const { page, context } = await pages.signedIn();
      const { baseUrl, workspaceId } = pages.seen;
      const at = async (place: string, heading: string | RegExp): Promise<Page> => {
        await page.goto(`${baseUrl}/console${place}`);
        await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
        await page.locator('.skeleton').first().waitFor({ state: 'detached' });
        expect(await page.getByRole('alert').allTextContents(), place).to.deep.equal([]);
        return page;
      };
      const ofStore = (place: string): string => `/s/${workspaceId}/${place}`;
      await at(ofStore(`phone?customer=${encodeURIComponent(CUSTOMER)}&name=Asha`), 'Phone');
      await page.getByRole('button', { name: 'Catalog' }).click();
      await page.getByRole('button', { name: 'Add Linen shirt' }).click({ timeout: 60_000 });
      await page
        .getByRole('button', { name: /Cart · / })
        .last()
        .click();
      await page.getByRole('button', { name: 'Send the cart to the store' }).click();
      const seen = page.getByRole('region', { name: 'What the store sees' });
      await seen.getByText('1 × Linen shirt').waitFor();
      const order = await seen.getByRole('link', { name: 'Order #1' }).getAttribute('href');

      await at(ofStore('orders'), 'Orders');
      await page.getByRole('link', { name: '#1' }).waitFor();
      await at(order!.slice('/console'.length), /Order #1/);
      await page.getByRole('slider').waitFor();
      await at('/events', 'Event log');
      await page.getByText('Live', { exact: true }).waitFor();
      const placed = page.getByRole('link', { name: 'OrderPlaced' });
      await placed.first().click();
      await page.getByRole('heading', { name: 'Order placed' }).waitFor();
      await at(ofStore('catalog'), 'Catalog');
      await at(ofStore('catalog/shirt'), /Linen shirt/);
      await at(ofStore('cart?lines=shirt:2'), 'Try a cart');
      await page.getByText('$30.00').first().waitFor();
      await at(ofStore('moments'), 'Compare versions');
      await at(ofStore('webhooks'), 'Webhooks');
      await at('/machine', 'System');
      await page.getByRole('link', { name: 'orders', exact: true }).waitFor();
      await at(`/machine/orders?document=${order!.split('/').at(-1)}`, /orders/);
      await at('/instances', 'Instances');
      await at('/sessions', 'Sessions');
      await context.close();
    });
  });
