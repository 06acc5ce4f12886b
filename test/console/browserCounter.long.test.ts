/** The counter in Chromium: people of a store see their day's figures, move an order on and cancel another. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../../harness/service/serviceProcess.js';
import { consolePages } from '../support/browser/consoleBrowser.js';
import { openConsoleDay } from '../support/browser/consoleDay.js';
import { faultsOnEachScreen } from '../support/browser/consoleFaults.js';

describe('daily work in a browser', function () {
  this.timeout(240_000);
  const pages = consolePages(openConsoleDay, (day, ...words) => day.link(...words));
  const of = (page: string): string => `${pages.seen.baseUrl}/console/s/${pages.seen.workspaceId}/${page}`;
  const people = () => pages.signedIn('link', '--workspace', pages.seen.workspaceId);
  const orderWhere = async (status: string): Promise<{ id: string; number: number }> => {
    const { workspaceId, partner } = pages.seen;
    const { orders } = await partner.listOrders({ workspaceId, limit: 200 });
    return orders.find((order) => order.status === status)!;
  };

  it('moves a paid order through its next statuses', async () => {
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

  it('cancels an order with a reason, after explaining the consequences', async () => {
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

  it('shows a new order in the list at once, saves the list as CSV, and prints a packing slip', async () => {
    const { run, workspaceId, partner } = pages.seen;
    const { page, context } = await people();
    await page.goto(of('orders'));
    await page.getByRole('row').nth(2).waitFor();
    const { orderId } = run('trigger', 'order.paid', '--store', workspaceId) as { orderId: string };
    const { number } = await partner.getOrder({ workspaceId, orderId });
    await page.getByRole('link', { name: `#${number}`, exact: true }).waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const folder = temporaryFolder();
    const file = join(folder.path, 'orders.csv');
    await (await downloading).saveAs(file);
    const rows = readFileSync(file, 'utf8').trimEnd().split('\r\n');
    folder.remove();
    const { orders } = await partner.listOrders({ workspaceId, limit: 200 });
    expect(rows).to.have.lengthOf(orders.length + 1);
    expect(rows[0]).to.equal('\uFEFFnumber,status,placed,customer,phone,fulfilment,area,items,currency,total');
    expect(rows.some((row) => row.startsWith(`${number},paid,`))).to.equal(true);
    await page.getByRole('link', { name: `#${number}`, exact: true }).click();
    const heading = page.getByRole('heading', { name: `· Order #${number}`, includeHidden: true });
    expect(await heading.isVisible()).to.equal(false);
    await page.evaluate(`window.print = () => undefined`);
    await page.emulateMedia({ media: 'print' });
    await page.getByRole('button', { name: 'Print packing slip', includeHidden: true }).dispatchEvent('click');
    await heading.waitFor();
    expect(await page.getByRole('heading', { name: 'Timeline' }).isVisible()).to.equal(false);
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

  it('creates a product, shows errors next to the field, and edits and deletes it', async () => {
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

  it('creates a coupon with the fields of its kind, and edits and deletes it', async () => {
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
    await edit.getByRole('textbox', { name: 'Uses in total' }).fill('5');
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

  it('creates a category, and moves it by a button and by dragging', async () => {
    const { workspaceId, partner } = pages.seen;
    const names = async () => (await partner.listProductCategories({ workspaceId })).categories.map(({ name }) => name);
    const { page, context } = await people();
    await page.goto(of('categories'));
    const form = page.getByRole('form', { name: 'Categories' });
    const row = (at: number) => form.getByRole('group', { name: `Category ${at}`, exact: true });
    const before = await names();
    const [first, second] = [before.length + 1, before.length + 2];
    for (const [at, name] of [
      [first, 'Veils'],
      [second, 'Rings'],
    ] as const) {
      await form.getByRole('button', { name: 'Add a category' }).click();
      await row(at).getByLabel('Id').fill(name.toLowerCase());
      await row(at).getByLabel('Name').fill(name);
    }
    await row(second).getByLabel('Name').fill(' ');
    await form.getByRole('button', { name: 'Save' }).click();
    await row(second).locator('.bad').waitFor();
    pages.troubles.splice(0);
    await row(second).getByLabel('Name').fill('Rings');
    await row(second)
      .getByRole('button', { name: `Move category ${second} up` })
      .click();
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('The categories are saved.').waitFor();
    expect(await names()).to.deep.equal([...before, 'Rings', 'Veils']);
    await row(second).locator('.drag-handle').dragTo(row(1));
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('The categories are saved.').waitFor();
    expect((await names())[0]).to.equal('Veils');
    await context.close();
  });

  it('creates a number list, and reports each rejected number', async () => {
    const { page, context } = await people();
    await page.goto(of('number-lists'));
    await page.getByRole('button', { name: 'New number list' }).click();
    const form = page.getByRole('form', { name: 'New number list' });
    await form.getByRole('textbox', { name: /^Name/ }).fill('Neighbours <b>');
    await form.getByRole('textbox', { name: 'Numbers' }).fill('+252 61 5550199\n12\n+252615550198');
    const file = { name: 'more.csv', mimeType: 'text/csv', buffer: Buffer.from('phone;name\n+252615550197;') };
    await form.getByLabel('Add numbers from a file').setInputFiles(file);
    await form.getByRole('button', { name: 'Create the list' }).click();
    const refused = form.getByRole('alert');
    await refused.getByText('3 of the numbers cannot be used').waitFor();
    expect(await refused.getByRole('listitem').locator('code').allInnerTexts()).to.deep.equal(['12', 'phone', 'name']);
    pages.troubles.splice(0);
    await form.getByRole('textbox', { name: 'Numbers' }).fill('+252 61 5550199\n+252615550198');
    await form.getByRole('button', { name: 'Create the list' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Neighbours <b>' });
    await row.getByRole('button', { name: 'Edit Neighbours <b>' }).click();
    const edit = page.getByRole('form', { name: 'Edit Neighbours <b>' });
    expect((await edit.getByRole('textbox', { name: 'Numbers' }).inputValue()).split('\n')).to.have.length(2);
    await edit.getByRole('textbox', { name: 'Numbers' }).fill('+252615550198');
    await edit.getByRole('button', { name: 'Save' }).click();
    await row.getByRole('cell', { name: '1', exact: true }).waitFor();
    await row.getByRole('button', { name: 'Delete Neighbours <b>' }).click();
    await row.getByRole('button', { name: 'Yes, delete it' }).click();
    await row.waitFor({ state: 'detached' });
    await context.close();
  });

  it('connects an account for payments, checks its key, and chooses wallets', async () => {
    const { workspaceId, partner } = pages.seen;
    const { page, context } = await people();
    await page.goto(of('payments'));
    const form = page.getByRole('form', { name: /^Connect an/ });
    await form.getByLabel('Merchant id').fill('M0912270');
    await form.getByLabel('Key', { exact: false }).fill('a-wrong-key-9XYZ');
    await form.getByRole('button', { name: 'Save' }).click();
    const account = page.locator('section.card').filter({ has: page.getByRole('heading', { name: 'Account' }) });
    await account.getByText('…9XYZ').waitFor();
    await account.getByRole('button', { name: 'Check the key' }).click();
    await account.getByText('The provider rejects this key.').waitFor();
    await form.getByLabel('Key', { exact: false }).fill('1000297:API-7ABC');
    await form.getByRole('button', { name: 'Save' }).click();
    await account.getByText('…7ABC').waitFor();
    await account.getByRole('button', { name: 'Check the key' }).click();
    await account.getByText('The provider accepts this key.').waitFor();
    const wallets = page.getByRole('form', { name: 'Wallets' });
    await wallets.getByLabel('Sahal').check();
    await wallets.getByRole('button', { name: 'Save the wallets' }).click();
    await wallets.getByText('The wallets are saved.').waitFor();
    const saved = await partner.getPaymentSettings({ workspaceId });
    expect([saved.merchantId, saved.last4]).to.deep.equal(['M0912270', '7ABC']);
    expect(saved.wallets).to.include('sahal');
    expect(await page.content()).not.to.include('API-7ABC');
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

  it('has no axe violations and no horizontal scrolling', async () => {
    const { page, context } = await people();
    const { id } = await orderWhere('new');
    expect(
      await faultsOnEachScreen(page, [
        of('home'),
        of(`orders/${id}`),
        of('catalog?do=new'),
        of('promotions?do=new'),
        of('delivery'),
        of('categories'),
        of('number-lists?do=new'),
        of('payments'),
      ]),
    ).to.deep.equal([]);
    await context.close();
  });
});
