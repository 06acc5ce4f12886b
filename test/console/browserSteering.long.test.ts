/** Webhooks, the inbox, administration, requests and the stepper in Chromium: what an operator, an auditor and a store's people do. */
import { expect } from 'chai';
import { consolePages } from '../support/browser/consoleBrowser.js';
import { openConsoleDay } from '../support/browser/consoleDay.js';
import { faultsOnEachScreen } from '../support/browser/consoleFaults.js';
import { sampleOf } from '../support/samples/fileSamples.js';

describe('operations in a browser', function () {
  this.timeout(240_000);
  const pages = consolePages(openConsoleDay, (day, ...words) => day.link(...words));
  const at = (place: string): string => `${pages.seen.baseUrl}/console${place}`;
  const webhooks = (): string => at(`/s/${pages.seen.workspaceId}/webhooks`);

  it('sends a test, shows request and response, and sends an event again', async () => {
    const { page, context } = await pages.signedIn('link', '--workspace', pages.seen.workspaceId);
    await page.goto(webhooks());
    await page.getByRole('button', { name: 'Show attempts' }).click();
    await page.getByText('95 % within').waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('Test sent').waitFor();
    await page.getByRole('link', { name: 'webhook.test' }).first().click();
    const delivery = page.getByRole('region', { name: 'Delivery' });
    await delivery.getByText('"type": "webhook.test"').waitFor();
    await delivery.getByText('response 204').first().waitFor();
    expect(new URL(page.url()).searchParams.get('event')).to.match(/^[0-9a-f-]{36}$/);
    await page.getByRole('link', { name: 'order.checked_out' }).first().click();
    await delivery.getByText('"checkedOutAt"').first().waitFor();
    await delivery.getByRole('button', { name: 'Send again' }).click();
    await delivery.getByText(/replay, attempt 1/).waitFor();
    await page.reload();
    await delivery.getByText(/replay, attempt 1/).waitFor();
    await context.close();
  });

  it('replaces the secret after a confirmation, and shows the new one once', async () => {
    const { page, context } = await pages.signedIn();
    await page.goto(webhooks());
    await page.getByRole('button', { name: 'Show attempts' }).click();
    await page.getByRole('button', { name: 'Replace the secret' }).click();
    await page.getByRole('button', { name: 'Yes, replace it' }).click();
    const secret = await page.getByText(/^whsec_[\w-]{30,}$/).textContent();
    await page.getByText('the previous secret also signs until').waitFor();
    await page.getByRole('button', { name: 'I stored it' }).click();
    await page.reload();
    await page.getByText('last success').waitFor();
    expect(await page.content()).not.to.contain(secret);
    await context.close();
  });

  it('creates an endpoint, shows its secret once, changes and deletes it, and shows errors next to the field', async () => {
    const { page, context } = await pages.signedIn('link', '--workspace', pages.seen.workspaceId);
    await page.goto(webhooks());
    await page.getByRole('button', { name: 'New endpoint' }).click();
    const form = page.getByRole('form', { name: 'New endpoint' });
    await form.getByLabel('URL').fill('ftp://hooks.example/<b>');
    await form.getByRole('checkbox', { name: 'order.created' }).check();
    await form.getByRole('button', { name: 'Create the endpoint' }).click();
    await form.getByRole('textbox', { name: 'URL' }).and(page.locator('[aria-invalid=true]')).waitFor();
    pages.troubles.splice(0);
    const url = 'http://127.0.0.1:9/hooks';
    await form.getByLabel('URL').fill(`${url}?made`);
    await form.getByLabel('Description').fill('صندوق <b>');
    await form.getByRole('button', { name: 'Create the endpoint' }).click();
    const secret = await page.getByText(/^whsec_[\w-]{30,}$/).textContent();
    await page.getByRole('button', { name: 'I stored it' }).click();
    await page.getByRole('button', { name: 'Change' }).click();
    const changing = page.getByRole('form', { name: /^Change / });
    await changing.getByRole('checkbox', { name: 'order.refunded' }).check();
    await changing.getByRole('button', { name: 'Save' }).click();
    const reported = page.getByRole('list', { name: 'Subscribed events' });
    await reported.filter({ hasText: /^order\.createdorder\.refunded$/ }).waitFor();
    expect(await page.content()).not.to.contain(secret);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Yes, delete it with its attempts' }).click();
    await page.getByText(`${url}?made`).waitFor({ state: 'detached' });
    await page.getByText('The demo').waitFor();
    await context.close();
  });

  it('shows the secret of a new endpoint in no other store', async () => {
    const { page, context } = await pages.signedIn();
    const other = { workspaceId: '6f9d2c1e-0000-4000-8000-000000000000', name: 'Another store' };
    await page.route('**/console/api/stores', async (route) => {
      const { stores } = await (await route.fetch()).json();
      await route.fulfill({ json: { stores: [...stores, { ...stores[0], ...other }] } });
    });
    const made = { endpoint: { id: other.workspaceId, url: 'https://hooks.example/' }, secret: 'whsec_made' };
    await page.route('**/webhook-endpoints', (route) => {
      if (route.request().method() === 'POST') return route.fulfill({ status: 201, json: made });
      return route.request().url().includes(other.workspaceId)
        ? route.fulfill({ json: { endpoints: [] } })
        : route.fallback();
    });
    await page.goto(`${webhooks()}?do=new`);
    await page.getByLabel('URL').fill(made.endpoint.url);
    await page.getByRole('checkbox', { name: 'order.created' }).check();
    await page.getByRole('button', { name: 'Create the endpoint' }).click();
    await page.getByText(made.secret).waitFor();
    await page.getByRole('combobox', { name: 'Store' }).selectOption(other.name);
    await page.getByText('No endpoints yet').waitFor();
    expect(await page.getByText(made.secret).count()).to.equal(0);
    await context.close();
  });

  it('draws the durations of attempts, with axes and a text alternative', async () => {
    const { page, context } = await pages.signedIn();
    await page.goto(webhooks());
    await page.getByRole('button', { name: 'Show attempts' }).click();
    await page.locator('.uplot canvas').waitFor();
    const drawn = page.getByRole('img', {
      name: /^Latency of the last \d+ attempts, .* median \d+ m?s; \d+ failed/,
    });
    await drawn.waitFor();
    // More than one ink: axes, grid and marks.
    const inks = await page.evaluate<number>(`(() => {
      const canvas = document.querySelector('.uplot canvas');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return new Set(new Uint32Array(data.buffer)).size;
    })()`);
    expect(inks).to.be.above(3);
    await page.locator('.u-over').hover();
    await page.getByText(/: [a-z._]+ (arrived|failed) after /).waitFor();
    await context.close();
  });

  it('plays a recording in place and saves it, only for its store', async () => {
    const { page, context } = await pages.signedIn('link', '--workspace', pages.seen.workspaceId);
    await page.goto(at('/admin/recordings?search=hold'));
    await page.getByRole('row').getByRole('link').first().click();
    const sound = page.getByRole('region', { name: 'Playback in calls' });
    await sound.getByLabel('Play Hold music').waitFor();
    const played = await page.evaluate<[number, number]>(`(async () => {
      const audio = document.querySelector('audio');
      audio.muted = true;
      await audio.play();
      audio.currentTime = 1;
      await new Promise((done) => audio.addEventListener('seeked', done, { once: true }));
      return [audio.duration, audio.currentTime];
    })()`);
    expect(played[0]).to.equal(2);
    expect(played[1]).to.be.at.least(1);
    const saving = page.waitForEvent('download');
    await sound.getByRole('link', { name: 'Save to a file' }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).to.equal('Hold music.wav');
    const bytes = Buffer.concat(await (await saved.createReadStream()).toArray());
    expect([bytes.subarray(0, 4).toString(), bytes.length]).to.deep.equal(['RIFF', 64_044]);
    await context.close();
  });

  it('submits a template with a header picture, with the uploaded sample', async () => {
    const { page, context } = await pages.signedIn('link', '--workspace', pages.seen.workspaceId);
    await page.goto(at(`/s/${pages.seen.workspaceId}/templates?do=new`));
    const form = page.getByRole('form', { name: 'New template' });
    await form.getByLabel('Name').fill('new_dresses');
    await form.getByLabel('Header', { exact: true }).selectOption('image');
    await form.getByLabel('Text').fill('See what has come.');
    await form.getByRole('button', { name: 'Submit for review' }).click();
    await form
      .getByText(/sample/i)
      .and(page.locator('.bad'))
      .first()
      .waitFor();
    pages.troubles.splice(0);
    const [image, text] = [sampleOf('image/jpeg'), sampleOf('text/plain')];
    const choose = ({ name, mimeType, bytes }: typeof image) =>
      form.getByLabel('Sample image').setInputFiles({ name, mimeType, buffer: bytes });
    await choose(text);
    await form.getByText('is of the kind document, not image').waitFor();
    await choose(image);
    await form.getByText(/ is uploaded\.$/).waitFor();
    await form.getByRole('button', { name: 'Submit for review' }).click();
    const card = page.getByRole('listitem').filter({ hasText: 'new_dresses' });
    await card.getByRole('img', { name: 'Image of the header' }).waitFor();
    await card.getByText('Approved').waitFor();
    // A few bytes that are a picture's beginning, and no more.
    pages.troubles.splice(0);
    await context.close();
  });

  it('gives an auditor read-only access', async () => {
    const { page, context } = await pages.signedIn('--role', 'auditor');
    await page.goto(webhooks());
    await page.getByRole('button', { name: 'Show attempts' }).click();
    await page.getByRole('link', { name: 'order.created' }).first().click();
    await page.getByText('Service-Event-Id').waitFor();
    for (const name of [
      'Send a test',
      'Send again',
      'Replace the secret',
      'Disable',
      'New endpoint',
      'Change',
      'Delete',
    ])
      expect([name, await page.getByRole('button', { name }).count()]).to.deep.equal([name, 0]);
    await context.close();
  });

  it('shows an operator a partner’s endpoints, and lets them create and delete one', async () => {
    const { page, context } = await pages.signedIn();
    await page.goto(at('/admin/partners'));
    await page.getByRole('main').getByRole('row').nth(1).getByRole('link').first().click();
    await page.getByRole('link', { name: 'Partner’s webhooks' }).click();
    await page.getByRole('heading', { name: /^Webhooks of .+/ }).waitFor();
    await page.getByRole('button', { name: 'New endpoint' }).click();
    const form = page.getByRole('form', { name: 'New endpoint' });
    await form.getByLabel('URL').fill('http://127.0.0.1:9/platform');
    await form.getByRole('checkbox', { name: 'conversation.merged' }).check();
    await form.getByRole('button', { name: 'Create the endpoint' }).click();
    await page.getByText(/^whsec_[\w-]{30,}$/).waitFor();
    await page.getByRole('button', { name: 'I stored it' }).click();
    await page.getByText('Nothing has been sent in the last 30 days.').waitFor();
    expect(await faultsOnEachScreen(page, [page.url()])).to.deep.equal([]);
    const place = page.url();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Yes, delete it with its attempts' }).click();
    await page.getByText('127.0.0.1:9/platform').waitFor({ state: 'detached' });
    await context.close();
    const store = await pages.signedIn('link', '--workspace', pages.seen.workspaceId);
    await store.page.goto(place);
    await store.page.getByText('Your role has no access').first().waitFor();
    pages.troubles.splice(0);
    await store.context.close();
  });

  it('steps through a document by keyboard, with the changes of each event marked', async () => {
    const { page, context } = await pages.signedIn();
    await page.goto(at('/machine'));
    await page.getByRole('link', { name: 'orders', exact: true }).click();
    await page.getByRole('textbox', { name: 'Document' }).fill(pages.seen.orderId);
    await page.keyboard.press('Enter');
    const after = page.getByRole('region', { name: 'After' });
    const before = page.getByRole('region', { name: 'Before' });
    await after.getByText('"status": "delivered"').waitFor();
    await page.getByRole('heading', { name: 'System' }).waitFor({ state: 'detached' });
    const slider = page.getByRole('slider', { name: 'Time of the document' });
    await slider.focus();
    await page.keyboard.press('Home');
    await page.getByText('Does not exist.').waitFor();
    const marked = await after.locator('ins').count();
    expect(marked, 'everything is new').to.be.above(10);
    await page.keyboard.press('ArrowRight');
    await before.waitFor();
    expect(await after.locator('ins').count()).to.be.within(1, marked - 1);
    expect(new URL(page.url()).searchParams.get('at')).to.equal('1');
    await context.close();
  });

  it('replies to a customer next to the orders of the chat, with photo, voice note and place visible', async () => {
    const { page, context } = await pages.signedIn('link', '--workspace', pages.seen.workspaceId);
    await page.goto(at(`/s/${pages.seen.workspaceId}/inbox`));
    await page.getByRole('link', { name: 'حمدي عبدي' }).click();
    const thread = page.getByRole('region', { name: 'Messages' });
    await thread.getByText('هل عندكم مقاس أكبر؟ <b>L</b>').waitFor();
    await thread.getByText('45.31820').waitFor();
    const width = () => page.evaluate<number>('document.querySelector("img.photo").naturalWidth');
    await thread.getByRole('img').scrollIntoViewIfNeeded();
    for (const until = Date.now() + 10_000; !(await width()) && Date.now() < until; ) await page.waitForTimeout(50);
    expect(await width(), 'the photo is shown').to.be.above(1);
    expect(await thread.getByLabel('Voice note').getAttribute('src')).to.match(/\/files\/[0-9a-f-]{36}$/);
    await page
      .getByRole('complementary', { name: 'Orders' })
      .getByRole('link', { name: /^#\d+$/ })
      .waitFor();
    await page.getByRole('textbox', { name: 'Reply' }).fill('نعم، XL <i>');
    await page.keyboard.press('Control+Enter');
    await thread.getByText('نعم، XL <i>').waitFor();
    await thread
      .getByText(/console|delivered/)
      .last()
      .waitFor();
    await context.close();
  });

  it('creates a partner and a key with the command line’s names, shows the key once, and revokes it after its name is typed', async () => {
    const { page, context } = await pages.signedIn();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to' }).fill('keys create');
    await page.getByRole('option', { name: 'keys create' }).waitFor();
    await page.keyboard.press('Enter');
    const form = page.getByRole('form', { name: 'suuq admin keys create' });
    await form.getByLabel('Workspace').selectOption(pages.seen.workspaceId);
    await form.getByLabel('Mode').selectOption('test');
    await form.getByLabel('Scopes').fill('no.such:scope');
    await form.getByRole('button', { name: 'Create' }).click();
    await form.getByText('unknown_scope').waitFor();
    pages.troubles.splice(0);
    await form.getByLabel('Scopes').fill('orders:view');
    await form.getByRole('button', { name: 'Create' }).click();
    const key = await page.getByText(/^sk_test_[\w-]{20,}$/).textContent();
    await page.getByRole('button', { name: 'I stored it' }).click();
    expect(await page.content()).not.to.contain(key);
    await page.goto(at(`/admin/keys?workspace=${pages.seen.workspaceId}&search=orders:view`));
    await page.locator('.row .whole').last().click();
    await page.getByRole('button', { name: 'Revoke' }).click();
    const revoking = page.getByRole('form', { name: 'suuq admin keys revoke' });
    expect(await revoking.getByRole('button', { name: 'Revoke' }).isDisabled()).to.equal(true);
    await revoking.getByLabel('This cannot be undone').fill(`…${key!.slice(-4)}`);
    await revoking.getByRole('button', { name: 'Revoke' }).click();
    await revoking.getByText('is revoked').waitFor();
    await page.getByRole('row').filter({ hasText: 'revoked' }).waitFor();
    await context.close();
  });

  it('shows requests live, and links to their events', async () => {
    const { page, context } = await pages.signedIn();
    await page.goto(at('/requests?operation=cancelOrder'));
    const row = page.getByRole('row').filter({ hasText: 'cancelOrder' });
    await row.first().waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await row.first().getByRole('link', { name: '1', exact: true }).click();
    await page.getByRole('link', { name: 'OrderStatusChanged' }).first().waitFor();
    await context.close();
  });

  it('shows an auditor read-only lists, and a store’s members only their store', async () => {
    const auditor = await pages.signedIn('--role', 'auditor');
    await auditor.page.goto(at('/admin/partners'));
    await auditor.page.locator('.row .whole').first().click();
    await auditor.page.getByRole('complementary').waitFor();
    for (const name of ['Create', 'Suspend', 'Reinstate'])
      expect([name, await auditor.page.getByRole('button', { name }).count()]).to.deep.equal([name, 0]);
    await auditor.context.close();
    const store = await pages.signedIn('link', '--workspace', pages.seen.workspaceId);
    await store.page.goto(at('/admin'));
    const areas = store.page.getByRole('navigation', { name: 'Areas' }).getByRole('link');
    await areas.first().waitFor();
    expect(await areas.allTextContents()).to.have.members([
      ...['Members', 'Teams', 'Conversations', 'Recordings', 'Keys', 'Numbers'],
    ]);
    await store.page.goto(at('/admin/partners'));
    await store.page.getByText('Your role has no access').waitFor();
    await store.context.close();
  });

  it('has no axe violations in administration, confirmations and messages', async () => {
    const { page, context } = await pages.signedIn();
    const { workspaceId } = pages.seen;
    await page.goto(at(`/s/${workspaceId}/inbox`));
    await page.getByRole('link', { name: 'حمدي عبدي' }).click();
    await page.getByRole('textbox', { name: 'Reply' }).waitFor();
    const chat = page.url();
    await page.goto(at('/admin/partners'));
    const partner = await page.locator('.row .whole').first().getAttribute('href');
    const row = new URL(`${partner}&do=partners.suspend`, page.url()).href;
    await page.goto(at(`/admin/recordings?workspace=${workspaceId}`));
    const recording = new URL((await page.locator('.row .whole').first().getAttribute('href'))!, page.url()).href;
    const faults = await faultsOnEachScreen(page, [
      ...[chat, row, at('/admin/keys?do=keys.create'), recording],
      ...[at('/requests'), at(`/s/${workspaceId}/templates`), at(`/s/${workspaceId}/inbox`)],
    ]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('has no axe violations and no horizontal scrolling', async () => {
    const { page, context } = await pages.signedIn();
    await page.goto(webhooks());
    await page.getByRole('button', { name: 'Show attempts' }).click();
    await page.getByRole('link', { name: 'order.created' }).first().click();
    await page.getByText('Service-Event-Id').waitFor();
    const steps = at(`/machine/orders?document=${pages.seen.orderId}&at=3`);
    const faults = await faultsOnEachScreen(page, [page.url(), `${webhooks()}?do=new`, steps]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('does not show the stepper to store members', async () => {
    const { page, context } = await pages.signedIn('link', '--workspace', pages.seen.workspaceId);
    await page.goto(at(`/machine/orders?document=${pages.seen.orderId}`));
    await page.getByText('Your role has no access').waitFor();
    pages.troubles.splice(0);
    await context.close();
  });
});
