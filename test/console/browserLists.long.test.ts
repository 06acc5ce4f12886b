/** Lists and forms in Chromium: templates, recordings from a file, long lists, settings, and verification code. */
import { expect } from 'chai';
import type { ConsoleReads } from '../../api/console/contract.js';
import { chime } from '../../domain/channel/chime.js';
import { consolePages } from '../support/browser/consoleBrowser.js';
import { openConsoleDay } from '../support/browser/consoleDay.js';
import { faultsOnEachScreen } from '../support/browser/consoleFaults.js';

const PLANS = 230;
const planKey = (i: number): string => `plan-${String(i).padStart(3, '0')}`;

describe('creating and listing in a browser', function () {
  this.timeout(240_000);
  const pages = consolePages(openConsoleDay, (day, ...words) => day.link(...words));
  const at = (place: string): string => `${pages.seen.baseUrl}/console${place}`;
  const templates = (query = ''): string => at(`/s/${pages.seen.workspaceId}/templates${query}`);

  it('creates a template with a preview, edits it and deletes it', async () => {
    const { page, context } = await pages.signedIn('link', '--workspace', pages.seen.workspaceId);
    await page.goto(templates());
    await page.getByRole('button', { name: 'New template' }).click();
    const form = page.getByRole('form', { name: 'New template' });
    await form.getByRole('textbox', { name: 'Name' }).fill('order_ready');
    await form.getByRole('textbox', { name: 'Text' }).fill('Order {{1}} waits for you, {{2}}.');
    await form.getByRole('textbox', { name: 'Example of 1' }).fill('#1042');
    await form.getByRole('textbox', { name: 'Example of 2' }).fill('<b>Asha</b>');
    await form.getByRole('textbox', { name: 'Quick replies' }).fill('On my way\nCall me');
    await page.getByText('Order #1042 waits for you, <b>Asha</b>.').waitFor();
    await form.getByRole('button', { name: 'Submit for review' }).click();
    const card = page.getByRole('listitem').filter({ hasText: 'order_ready' });
    await card.getByText('Call me').waitFor();
    // The sandbox's provider approves within seconds.
    await page.getByRole('button', { name: 'Sync with the provider' }).click();
    await card.getByText('Approved').waitFor();
    await card.getByRole('link', { name: 'Edit' }).click();
    const edit = page.getByRole('form', { name: 'Edit order_ready' });
    expect(await edit.getByRole('textbox', { name: 'Example of 1' }).inputValue()).to.equal('#1042');
    await edit.getByRole('textbox', { name: 'Footer' }).fill('Until eight in the evening');
    await edit.getByRole('button', { name: 'Submit the edit' }).click();
    await card.getByText(/Until eight|an edit waits/).waitFor();
    await card.getByRole('button', { name: 'Delete order_ready en' }).click();
    await card.getByRole('button', { name: 'Yes, delete it' }).click();
    await page.getByText('The template is being deleted.').waitFor();
    await context.close();
  });

  it("shows the API's errors of a template at the field, and offers an auditor none", async () => {
    const { page, context } = await pages.signedIn();
    await page.goto(templates('?do=new'));
    const form = page.getByRole('form', { name: 'New template' });
    await form.getByRole('textbox', { name: 'Name' }).fill('starts_with_one');
    await form.getByRole('textbox', { name: 'Language' }).fill('no such language');
    await form.getByRole('textbox', { name: 'Text' }).fill('Hello');
    await form.getByRole('button', { name: 'Submit for review' }).click();
    await form.locator('.outcome .bad').waitFor();
    expect(await form.locator('[aria-invalid="true"]').getAttribute('name')).to.equal('language');
    pages.troubles.splice(0);
    await context.close();
    const auditor = await pages.signedIn('--role', 'auditor');
    await auditor.page.goto(templates('?do=new'));
    await auditor.page.getByText('hello_world').waitFor();
    for (const name of ['New template', 'Sync with the provider', 'Submit for review'])
      expect([name, await auditor.page.getByRole('button', { name }).count()]).to.deep.equal([name, 0]);
    await auditor.context.close();
  });

  it("refreshes a template's status, except for an auditor, whose reads are recorded", async () => {
    for (const role of ['operator', 'auditor'] as const) {
      const { page, context } = await pages.signedIn('--role', role);
      let polls = 0;
      await page.route('**/templates?limit=200', async (route) => {
        const answer = await (await route.fetch()).json();
        polls += 1;
        answer.templates[0].status = 'pending';
        await route.fulfill({ json: answer });
      });
      await page.clock.install();
      await page.goto(templates());
      await page.getByText('Pending', { exact: true }).first().waitFor();
      const before = polls;
      for (let i = 0; i < 2; i++) {
        await page.clock.runFor(5000);
        // Earlier requests of the page are answered before this one.
        await page.evaluate('fetch("/console/api/session").then((answer) => answer.text())');
      }
      expect([role, polls > before]).to.deep.equal([role, role === 'operator']);
      await context.close();
    }
  });

  it('adds a recording from a file', async () => {
    const { page, context } = await pages.signedIn();
    await page.goto(at(`/admin/recordings?workspace=${pages.seen.workspaceId}&do=recordings.put`));
    const form = page.getByRole('form', { name: 'suuq admin recordings add' });
    await form
      .getByLabel(/^File/)
      .setInputFiles({ name: 'hello.wav', mimeType: 'audio/wav', buffer: Buffer.from(chime()) });
    await form.getByLabel(/^Name/).fill('Subax wanaagsan');
    await form.getByLabel(/^Kind/).selectOption('greeting');
    await form.getByRole('button', { name: 'Add' }).click();
    await form.getByText(/^Recording Subax wanaagsan \(\d\.\d s\)/).waitFor();
    await page.getByRole('table', { name: 'Recordings' }).getByText('Subax wanaagsan').waitFor();
    await context.close();
  });

  it('scrolls through a long list, searches all of it, and opens a row that is not loaded yet', async () => {
    const { page, context } = await pages.signedIn();
    const { csrf } = await (await page.request.get(at('/api/session'))).json();
    for (let i = 0; i < PLANS; i++) {
      const data = { key: planKey(i), name: `Plan no. ${i}` };
      await page.request.post(at('/api/commands/plans.put'), { data, headers: { 'x-csrf-token': csrf } });
    }
    await page.goto(at('/admin/plans'));
    const list = page.getByRole('table', { name: 'Plans' });
    await page.getByText('200 so far').waitFor();
    await list.focus();
    await page.keyboard.press('End');
    await page.locator('.counted').getByText('so far').waitFor({ state: 'detached' });
    await page.keyboard.press('End');
    await list.getByText(`Plan no. ${PLANS - 1}`, { exact: true }).waitFor();
    expect(Number.parseInt((await page.locator('.counted').textContent())!, 10)).to.be.at.least(PLANS);
    const row = page.getByRole('complementary');
    await page.goto(at(`/admin/plans?row=${planKey(PLANS - 1)}`));
    await row.getByRole('heading', { name: `Plan no. ${PLANS - 1}` }).waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill('plan no. 217');
    await page
      .locator('.counted')
      .getByText(/^1 in all/)
      .waitFor();
    await list.getByText('Plan no. 217').waitFor();
    await context.close();
  });

  it('loads more stores than the first page, and finds others while typing', async () => {
    const { page, context } = await pages.signedIn();
    const { csrf } = await (await page.request.get(at('/api/session'))).json();
    const owner = {
      ownerEmail: 'owner@example.com',
      ownerName: 'Owner',
      country: 'SO',
      timezone: 'Africa/Mogadishu',
      plan: 'demo',
    };
    for (const name of ['Stall 0', 'Stall 1']) {
      const data = { name, ...owner };
      const made = await page.request.post(at('/api/commands/stores.create'), {
        data,
        headers: { 'x-csrf-token': csrf },
      });
      expect(made.status(), await made.text()).to.be.within(200, 201);
    }
    // Cuts the first page to one store, as if it contained the newest 500.
    await page.route(/\/api\/stores$/, async (route) => {
      const answer = await route.fetch();
      const { stores } = (await answer.json()) as ConsoleReads['/stores'];
      const { workspaceId } = stores[0]!;
      const { result } = await (await page.request.get(at(`/api/commands/stores.list?search=${workspaceId}`))).json();
      const next = Buffer.from(JSON.stringify([result.stores[0].createdAt, workspaceId])).toString('base64url');
      await route.fulfill({ response: answer, json: { stores: [stores[0]!], next } });
    });
    await page.goto(at(`/s/${pages.seen.workspaceId}/orders`));
    const choice = page.locator('.store-choice select');
    const option = (name: string) => choice.locator('option', { hasText: name });
    await option('Stall 1').waitFor({ state: 'attached' });
    expect(await option('Stall 0').count()).to.equal(0);
    await choice.selectOption('Load more stores…');
    await option('Stall 0').waitFor({ state: 'attached' });
    expect(await option('Load more stores…').count()).to.equal(0);
    await page.reload();
    await option('Stall 1').waitFor({ state: 'attached' });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to' }).fill('stall 0');
    await page.getByRole('option', { name: 'Stall 0 Store' }).click();
    await page.waitForURL(/\/s\/[0-9a-f-]{36}\/orders/);
    expect(await choice.locator('option:checked').textContent()).to.equal('Stall 0');
    await context.close();
  });

  it('shows the current settings, and how to verify in five languages, each with a URL', async () => {
    const { page, context } = await pages.signedIn('--role', 'auditor');
    await page.goto(at('/instances'));
    await page.getByRole('row', { name: /^SUUQ_SANDBOX_HOST/ }).waitFor();
    await page.goto(at(`/s/${pages.seen.workspaceId}/webhooks`));
    await page.getByRole('button', { name: 'Show attempts' }).click();
    for (const [name, text] of [
      ['TypeScript', 'WebhookRefused'],
      ['Node', 'timingSafeEqual'],
      ['Python', 'hmac.compare_digest'],
      ['Go', 'hmac.Equal'],
      ['Java', 'MessageDigest.isEqual'],
    ] as const) {
      await page.getByRole('button', { name, exact: true }).click();
      await page
        .getByRole('region', { name: `Verifying in ${name}` })
        .getByText(text)
        .first()
        .waitFor();
    }
    await page.reload();
    await page.getByRole('region', { name: 'Verifying in Java' }).waitFor();
    await context.close();
  });

  it('has no axe violations, in both schemes and three widths', async () => {
    const { page, context } = await pages.signedIn();
    const { workspaceId } = pages.seen;
    const webhooks = `/s/${workspaceId}/webhooks`;
    await page.goto(at(webhooks));
    await page.getByRole('button', { name: 'Show attempts' }).click();
    const open = new URL(page.url()).search;
    const faults = await faultsOnEachScreen(page, [
      ...[templates(), templates('?do=new'), at('/instances'), at(`${webhooks}${open}&verify=go`)],
      at(`/admin/recordings?workspace=${workspaceId}&do=recordings.put`),
    ]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
