/** The counter in Chromium: people of a store see their day's figures, move an order on and cancel another. */
import { expect } from 'chai';
import { consolePages } from '../support/browser/consoleBrowser.js';
import { openConsoleDay } from '../support/browser/consoleDay.js';
import { faultsOnEachScreen } from '../support/browser/consoleFaults.js';

describe('the counter in a browser', function () {
  this.timeout(240_000);
  const pages = consolePages(openConsoleDay, (day, ...words) => day.link(...words));
  const of = (page: string): string => `${pages.seen.baseUrl}/console/s/${pages.seen.workspaceId}/${page}`;
  const people = () => pages.signedIn('link', '--workspace', pages.seen.workspaceId);
  const orderWhere = async (status: string): Promise<{ id: string; number: number }> => {
    const { workspaceId, partner } = pages.seen;
    const { orders } = await partner.listOrders({ workspaceId, limit: 200 });
    return orders.find((order) => order.status === status)!;
  };

  it('moves a paid order on by its next statuses', async () => {
    const { run, workspaceId } = pages.seen;
    const { orderId: id } = run('trigger', 'order.paid', '--store', workspaceId) as { orderId: string };
    const { number } = await pages.seen.partner.getOrder({ workspaceId, orderId: id });
    const { page, context } = await people();
    await page.goto(of(`orders/${id}`));
    await page.getByRole('heading', { name: `Order #${number} Paid` }).waitFor();
    await page.getByRole('button', { name: 'Accept and prepare' }).click();
    await page.getByText('The order is now: Preparing.').waitFor();
    await page.getByRole('heading', { name: `Order #${number} Preparing` }).waitFor();
    await page.getByRole('button', { name: 'Delivered' }).click();
    await page.getByRole('heading', { name: `Order #${number} Delivered` }).waitFor();
    expect(await page.getByRole('button', { name: 'Cancel…' }).count()).to.equal(0);
    await context.close();
  });

  it('cancels an order with a reason, after it has said what will happen', async () => {
    const { id, number } = await orderWhere('new');
    const { page, context } = await people();
    await page.goto(of(`orders/${id}`));
    await page.getByRole('button', { name: 'Cancel…' }).click();
    const form = page.getByRole('form', { name: `Cancel order #${number}` });
    await form.getByText('Payments are refunded.').waitFor();
    await form.getByLabel('Reason').fill('No cloth left <b>');
    await form.getByRole('button', { name: 'Cancel the order' }).click();
    await page.getByRole('heading', { name: `Order #${number} Cancelled` }).waitFor();
    await page.getByText('No cloth left <b>').first().waitFor();
    await context.close();
  });

  it('offers an auditor no action', async () => {
    const { id, number } = await orderWhere('new');
    const { page, context } = await pages.signedIn('--role', 'auditor');
    await page.goto(of(`orders/${id}`));
    await page.getByRole('heading', { name: `Order #${number} New` }).waitFor();
    expect(await page.getByRole('button', { name: 'Cancel…' }).count()).to.equal(0);
    await context.close();
  });

  it('creates a product, names what is wrong beside the field, and edits and deletes it', async () => {
    const { page, context } = await people();
    await page.goto(of('catalog'));
    await page.getByRole('button', { name: 'New product' }).click();
    const form = page.getByRole('form', { name: 'New product' });
    await form.getByLabel('Id', { exact: false }).first().fill('veil-green');
    await form.getByRole('textbox', { name: /^Name/ }).fill('Veil, green <b>');
    await form.getByRole('textbox', { name: 'Price required' }).fill('12.5x');
    await form.getByRole('textbox', { name: 'Image URLs' }).fill('http://shop.example/veil.jpg');
    await form.getByRole('button', { name: 'Add a variant' }).click();
    await form.getByRole('group', { name: 'Variant 1' }).getByLabel('Item id').fill('veil-green-m');
    await form.getByRole('group', { name: 'Variant 1' }).getByLabel('Stock').fill('3');
    await form.getByRole('button', { name: 'Create the product' }).click();
    await form.getByRole('textbox', { name: 'Price required' }).and(page.locator('[aria-invalid=true]')).waitFor();
    await form.getByRole('textbox', { name: 'Image URLs' }).and(page.locator('[aria-invalid=true]')).waitFor();
    pages.troubles.splice(0);
    await form.getByRole('textbox', { name: 'Price required' }).fill('12.5');
    await form.getByRole('textbox', { name: 'Image URLs' }).fill('https://shop.example/veil.jpg');
    await form.getByRole('button', { name: 'Create the product' }).click();
    await page.getByRole('heading', { name: 'Veil, green <b>' }).waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    const edit = page.getByRole('form', { name: 'Edit Veil, green <b>' });
    expect(await edit.getByRole('group', { name: 'Variant 1' }).getByLabel('Stock').inputValue()).to.equal('3');
    await edit.getByRole('textbox', { name: 'Price required' }).fill('14');
    await edit.getByRole('button', { name: 'Save' }).click();
    await page.getByText('$14.00').first().waitFor();
    const { workspaceId, partner } = pages.seen;
    const products = await partner.listProducts({ workspaceId, limit: 200 });
    const { priceCents, variants } = products.products.find(({ externalId }) => externalId === 'veil-green')!;
    expect([priceCents, variants[0]?.stock]).to.deep.equal([14_00, 3]);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Yes, delete it from the catalog' }).click();
    await page.getByRole('heading', { name: 'Catalog' }).waitFor();
    await context.close();
  });

  it('creates a coupon with the fields that its kind needs, and edits and deletes it', async () => {
    const { page, context } = await people();
    await page.goto(of('promotions'));
    await page.getByRole('button', { name: 'New promotion' }).click();
    const form = page.getByRole('form', { name: 'New promotion' });
    await form.getByRole('textbox', { name: /^Name/ }).fill('Eid <b>');
    await form.getByRole('combobox', { name: 'Kind' }).selectOption('flash_sale');
    expect(await form.getByRole('textbox', { name: /^Code/ }).count()).to.equal(0);
    await form.getByRole('combobox', { name: 'Kind' }).selectOption('coupon');
    await form.getByRole('textbox', { name: /^Code/ }).fill('EID26');
    await form.getByRole('textbox', { name: /^Percent off/ }).fill('400');
    await form.getByRole('button', { name: 'Create the promotion' }).click();
    await form
      .getByRole('textbox', { name: /^Percent off/ })
      .and(page.locator('[aria-invalid=true]'))
      .waitFor();
    pages.troubles.splice(0);
    await form.getByRole('textbox', { name: /^Percent off/ }).fill('40');
    await form.getByRole('button', { name: 'Create the promotion' }).click();
    const row = page.getByRole('row').filter({ hasText: 'EID26' });
    await row.getByText('40 %').waitFor();
    await row.getByRole('button', { name: 'Edit Eid <b>' }).click();
    const edit = page.getByRole('form', { name: 'Edit Eid <b>' });
    await edit.getByRole('textbox', { name: 'Uses in all' }).fill('5');
    await edit.getByRole('button', { name: 'Save' }).click();
    await row.getByText('0 of 5').waitFor();
    await row.getByRole('button', { name: 'Delete Eid <b>' }).click();
    await row.getByRole('button', { name: 'Yes, delete it' }).click();
    await row.waitFor({ state: 'detached' });
    await context.close();
  });

  it('sets a delivery fee and adds an area', async () => {
    const { page, context } = await people();
    await page.goto(of('delivery'));
    const form = page.getByRole('form', { name: 'Delivery settings' });
    await form.getByRole('button', { name: 'Add an area' }).click();
    const area = form.getByRole('group', { name: /^Area \d/ }).last();
    await area.getByLabel('Name').fill('Kaaraan');
    await area.getByLabel('Fee, US dollars').fill('x');
    await form.getByRole('button', { name: 'Save' }).click();
    await area.locator('.bad').waitFor();
    pages.troubles.splice(0);
    await area.getByLabel('Fee, US dollars').fill('2.75');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('The settings are saved.').waitFor();
    await page.reload();
    await form.getByRole('group').last().waitFor();
    expect(await form.getByLabel('Fee, US dollars').last().inputValue()).to.equal('2.75');
    await context.close();
  });

  it('opens with the figures of the day, which download as CSV', async () => {
    const { page, context } = await people();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    const today = page.getByRole('region', { name: 'Today' });
    await today
      .getByText(/^\$\d+\.\d\d$/)
      .first()
      .waitFor();
    await page.getByRole('link', { name: /^Unread chats: \d/ }).waitFor();
    await page.getByText('Show as a table').click();
    const table = page.getByRole('region', { name: 'Sales by day' });
    expect(await table.getByRole('row').count()).to.equal(29);
    const waiting = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download CSV' }).click();
    const file = await (await waiting).createReadStream();
    const lines = Buffer.concat(await file.toArray())
      .toString()
      .trimEnd()
      .split('\r\n');
    expect(lines[0]).to.equal('\uFEFFDay,Carts,Checked out,Sold,Revenue,Delivery,Discounts,Returned');
    expect(lines.length).to.equal(29);
    await page.getByRole('link', { name: 'Cancelled' }).click();
    await page.getByRole('table', { name: 'Orders, newest first' }).waitFor();
    expect(new URL(page.url()).search).to.equal('?status=cancelled');
    await context.close();
  });

  it('has no fault that axe finds, and nothing beside the screen', async () => {
    const { page, context } = await people();
    const { id } = await orderWhere('new');
    expect(
      await faultsOnEachScreen(page, [
        of('home'),
        of(`orders/${id}`),
        of('catalog?do=new'),
        of('promotions?do=new'),
        of('delivery'),
      ]),
    ).to.deep.equal([]);
    await context.close();
  });
});
