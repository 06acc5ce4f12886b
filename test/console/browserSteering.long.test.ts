/** Webhooks in Chromium: what an operator, an auditor and a store's people do with them. */
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

  it('has no fault that axe finds, and nothing beside the screen', async () => {
    const { page, context } = await pages.signedIn();
    await page.goto(webhooks());
    await page.getByRole('button', { name: 'Show attempts' }).click();
    await page.getByRole('link', { name: 'order.created' }).first().click();
    await page.getByText('What is sent').waitFor();
    const faults = await faultsOnEachScreen(page, [page.url()]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
