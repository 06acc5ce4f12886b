/** Webhooks and the stepper in Chromium: what an operator, an auditor and a store's people do with them. */
import { expect } from 'chai';
import { consolePages } from '../support/consoleBrowser.js';
import { openConsoleDay } from '../support/consoleDay.js';
import { faultsOnEachScreen } from '../support/consoleFaults.js';

describe('steering in a browser', function () {
  this.timeout(240_000);
  const pages = consolePages(openConsoleDay, (day, ...words) => day.link(...words));
  const at = (place: string): string => `${pages.looked.baseUrl}/console${place}`;
  const webhooks = (): string => at(`/s/${pages.looked.workspaceId}/webhooks`);

  it('sends a test, shows what it sent and was answered, and sends an event again', async () => {
    const { page, context } = await pages.signedIn('link', '--workspace', pages.looked.workspaceId);
    await page.goto(webhooks());
    await page.getByRole('button', { name: 'Show attempts' }).click();
    await page.getByText('95 % within').waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('A test is on its way').waitFor();
    await page.getByRole('link', { name: 'webhook.test' }).first().click();
    const delivery = page.getByRole('region', { name: 'One delivery' });
    await delivery.getByText('"type": "webhook.test"').waitFor();
    await delivery.getByText('answered 204').first().waitFor();
    expect(new URL(page.url()).searchParams.get('event')).to.match(/^[0-9a-f-]{36}$/);
    await page.getByRole('link', { name: 'order.checked_out' }).first().click();
    await delivery.getByText('"checkedOutAt"').first().waitFor();
    await delivery.getByRole('button', { name: 'Send it again' }).click();
    await delivery.getByText(/replay, attempt 1/).waitFor();
    await page.reload();
    await delivery.getByText(/replay, attempt 1/).waitFor();
    await context.close();
  });

  it('replaces the secret once its person is sure, and shows the new one once', async () => {
    const { page, context } = await pages.signedIn();
    await page.goto(webhooks());
    await page.getByRole('button', { name: 'Show attempts' }).click();
    await page.getByRole('button', { name: 'Replace the secret' }).click();
    await page.getByRole('button', { name: 'Yes, replace it' }).click();
    const secret = await page.getByText(/^whsec_[\w-]{30,}$/).textContent();
    await page.getByText('the secret before signs too until').waitFor();
    await page.getByRole('button', { name: 'I have it' }).click();
    await page.reload();
    await page.getByText('last success').waitFor();
    expect(await page.content()).not.to.contain(secret);
    await context.close();
  });

  it('lets an auditor look and do nothing', async () => {
    const { page, context } = await pages.signedIn('--role', 'auditor');
    await page.goto(webhooks());
    await page.getByRole('button', { name: 'Show attempts' }).click();
    await page.getByRole('link', { name: 'order.created' }).first().click();
    await page.getByText('What is sent').waitFor();
    for (const name of ['Send a test', 'Send it again', 'Replace the secret', 'Turn off'])
      expect([name, await page.getByRole('button', { name }).count()]).to.deep.equal([name, 0]);
    await context.close();
  });

  it('steps through a document by keys, with what each event changed marked', async () => {
    const { page, context } = await pages.signedIn();
    await page.goto(at('/machine'));
    await page.getByRole('link', { name: 'orders', exact: true }).click();
    await page.getByRole('textbox', { name: 'Document' }).fill(pages.looked.orderId);
    await page.keyboard.press('Enter');
    const after = page.getByRole('region', { name: 'After' });
    const before = page.getByRole('region', { name: 'Before' });
    await after.getByText('"status": "delivered"').waitFor();
    await page.getByRole('heading', { name: 'Machine room' }).waitFor({ state: 'detached' });
    const slider = page.getByRole('slider', { name: 'Moment of the document' });
    await slider.focus();
    await page.keyboard.press('Home');
    await page.getByText('There is none.').waitFor();
    const marked = await after.locator('ins').count();
    expect(marked, 'everything is new').to.be.above(10);
    await page.keyboard.press('ArrowRight');
    await before.waitFor();
    expect(await after.locator('ins').count()).to.be.within(1, marked - 1);
    expect(new URL(page.url()).searchParams.get('at')).to.equal('1');
    await context.close();
  });

  it('has no fault that axe finds, and nothing beside the screen', async () => {
    const { page, context } = await pages.signedIn();
    await page.goto(webhooks());
    await page.getByRole('button', { name: 'Show attempts' }).click();
    await page.getByRole('link', { name: 'order.created' }).first().click();
    await page.getByText('What is sent').waitFor();
    const steps = at(`/machine/orders?document=${pages.looked.orderId}&at=3`);
    const faults = await faultsOnEachScreen(page, [page.url(), at('/machine/orders'), steps]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('shows the stepper to nobody of a store', async () => {
    const { page, context } = await pages.signedIn('link', '--workspace', pages.looked.workspaceId);
    await page.goto(at(`/machine/orders?document=${pages.looked.orderId}`));
    await page.getByText('This is not for your role').waitFor();
    pages.troubles.splice(0);
    await context.close();
  });
});
