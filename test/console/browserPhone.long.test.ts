/** The phone in Chromium: a customer's whole order next to the store's view, and the phone from right to left. */
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { consolePages } from '../support/browser/consoleBrowser.js';
import { openConsoleDay } from '../support/browser/consoleDay.js';
import { faultsOf, faultsOnEachScreen } from '../support/browser/consoleFaults.js';
import { mirrored } from '../support/browser/mirrored.js';
import { until } from '../support/tools/until.js';

const CUSTOMER = '252615550177';
const ASHA = '252615550101';
/** Tolerance for equal edges, in px. Covers glyphs and rounding. */
const TOLERANCE = 6;

describe('the phone in a browser', function () {
  this.timeout(120_000);
  const pages = consolePages(openConsoleDay, (day, ...words) => day.link(...words));
  const at = (query: Readonly<Record<string, string>>): string =>
    `${pages.seen.baseUrl}/console/s/${pages.seen.workspaceId}/phone?${new URLSearchParams(query)}`;
  const device = (page: Page): Locator => page.locator('.device');
  const seen = (page: Page): Locator => page.getByRole('region', { name: 'What the store sees' });

  it('opens from the sandbox’s own address, after signing in', async () => {
    const context = await pages.browser.newContext();
    const page = await context.newPage();
    await page.goto(pages.seen.sandboxUrl);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goto(pages.seen.link());
    await page.getByRole('heading', { name: 'Phone' }).waitFor();
    expect(new URL(page.url()).pathname).to.match(/^\/console\/s\/[^/]+\/phone$/);
    await context.close();
  });

  it('takes a customer from the catalog to the delivered order, and shows what the store sees', async () => {
    const { partner, workspaceId, receiver } = pages.seen;
    const { page, context } = await pages.signedIn();
    await page.goto(at({ customer: `+${CUSTOMER}`, name: 'Ubax' }));
    await seen(page).getByText('No orders yet').waitFor();
    await page.getByRole('button', { name: 'Catalog' }).click();
    await page.getByRole('searchbox', { name: 'Search the catalog' }).fill('shawl');
    await page.getByRole('button', { name: 'Add Sand shawl' }).click();
    await page.getByRole('button', { name: 'Add one: Sand shawl' }).click();
    await page.getByRole('button', { name: /Cart · \$\d+\.00/ }).click();
    await page.getByLabel('Note for the cart').fill('For Friday');
    await page.getByRole('button', { name: 'Send the cart to the store' }).click();
    await seen(page).getByText('2 × Sand shawl').waitFor();
    await seen(page).getByText('New', { exact: true }).first().waitFor();

    await device(page).getByRole('button', { name: 'Check out' }).click();
    const form = page.getByRole('dialog', { name: 'Check out' });
    await form.getByLabel('Area').selectOption({ index: 1 });
    await form.getByLabel('Address').fill('Maka al-Mukarama 4');
    await form.getByRole('button', { name: /Check out/ }).click();
    await device(page).getByText('We have received your payment').waitFor();
    await seen(page).getByText('Paid', { exact: true }).first().waitFor();
    await seen(page).getByText('order.paid').waitFor();
    expect(await device(page).getByRole('button', { name: 'Sent' }).isDisabled(), 'a form is answered once').to.equal(
      true,
    );

    await page.getByLabel('Share', { exact: true }).click();
    await device(page).getByRole('button', { name: 'Location' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Xeebta Liido' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
    await device(page).getByText('2.0346, 45.3651').waitFor();

    const { orders } = await partner.listOrders({ workspaceId, phone: `+${CUSTOMER}` });
    const orderId = orders[0]!.id;
    for (const [status, words] of [
      ['preparing', 'We are preparing'],
      ['out_for_delivery', 'is on its way'],
      ['delivered', 'has been handed over'],
    ] as const) {
      await partner.setOrderStatus({ workspaceId, orderId, body: { status } });
      await device(page).getByText(words).waitFor();
    }
    await seen(page).getByText('Delivered', { exact: true }).first().waitFor();
    await seen(page).getByText('order.status_changed').waitFor();
    await until('the endpoint is notified', () =>
      receiver.events.some(
        ({ type, data }) =>
          type === 'order.status_changed' && data.order.id === orderId && data.order.status === 'delivered',
      ),
    );
    await seen(page).getByRole('link', { name: 'Order status changed' }).first().click();
    await page.getByRole('heading', { name: 'Order status changed' }).waitFor();
    await context.close();
  });

  it('sends photos, voice notes, contacts, reactions and replies, and calls', async () => {
    const { page, context } = await pages.signedIn();
    await page.goto(at({ customer: '+252615550178', name: 'Ayaan', lang: 'so' }));
    const share = async (name: string): Promise<void> => {
      await page.getByLabel('La wadaag', { exact: true }).click();
      await device(page).getByRole('button', { name }).click();
    };
    await device(page).getByRole('textbox', { name: 'Fariin' }).fill('Ma furan tihiin?');
    await page.keyboard.press('Enter');
    await device(page).getByText('Ma furan tihiin?').waitFor();
    const photo = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNgYPgPAAEDAQAIicLsAAAAAElFTkSuQmCC',
      'base64',
    );
    await device(page)
      .locator('input[type=file]')
      .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: photo });
    const shown = device(page).getByRole('img', { name: 'Sawir ama fayl' });
    await shown.waitFor();
    await until('the photo is drawn', () =>
      shown.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth > 0),
    );
    await share('Cod');
    await device(page).locator('audio').waitFor();
    await share('Xiriir');
    await page.getByRole('dialog').getByRole('button', { name: 'Dir' }).click();
    await device(page).getByText('Hodan Ali').waitFor();
    await share('Wac');
    await device(page).getByText('Cidna kama jawaabin').waitFor();
    const first = device(page).getByRole('listitem').filter({ hasText: 'Ma furan tihiin?' });
    await first.getByLabel('Falceli ama ka jawaab').click();
    await first.getByRole('button', { name: 'Ku falceli 👍' }).click();
    await first.locator('.reactions').getByText('👍').waitFor();
    await first.getByLabel('Falceli ama ka jawaab').click();
    await first.getByRole('button', { name: 'Tirtir' }).click();
    await device(page).getByText('Fariintan waad tirtirtay.').waitFor();
    await context.close();
  });

  it('accepts the next message while one is being sent, and sends each as written', async () => {
    const { page, context } = await pages.signedIn();
    await page.goto(at({ customer: '+252615550179', name: 'Deeqa' }));
    const field = device(page).getByRole('textbox', { name: 'Message' });
    let letGo = (): void => {};
    const current = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route('**/messages', async (route) => {
      if (route.request().postData()?.includes('The first') === true) await current;
      await route.continue();
    });
    await field.fill('The first');
    await page.keyboard.press('Enter');
    await field.fill('The second, half wr');
    letGo();
    await device(page).getByRole('listitem').filter({ hasText: 'The first' }).waitFor();
    await field.press('End');
    await field.pressSequentially('itten');
    await page.keyboard.press('Enter');
    await device(page).getByRole('listitem').filter({ hasText: 'The second, half written' }).waitFor();
    expect(await field.inputValue()).to.equal('');
    await context.close();
  });

  it('shows in the phone what failed, and keeps the draft', async () => {
    const { page, context } = await pages.signedIn();
    await page.goto(at({ customer: '', name: '' }));
    await device(page).getByRole('textbox', { name: 'Message' }).fill('Hello');
    await device(page).getByRole('button', { name: 'Send', exact: true }).click();
    await device(page).getByText('Enter a phone number or a user id').waitFor();
    expect(await device(page).getByRole('textbox', { name: 'Message' }).inputValue()).to.equal('Hello');
    await context.close();
  });

  it('closes its sheet with Escape, and returns the focus', async () => {
    const { page, context } = await pages.signedIn();
    await page.goto(at({ customer: `+${ASHA}` }));
    await page.getByRole('button', { name: 'Catalog' }).press('Enter');
    await page.getByRole('dialog', { name: 'Catalog' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.textContent')).to.include('Catalog');
    await context.close();
  });

  it('moves the focus to a sheet at once, however soon a key is pressed', async () => {
    const { page, context } = await pages.signedIn();
    await page.goto(at({ customer: `+${ASHA}` }));
    await page.getByRole('button', { name: 'Catalog' }).waitFor();
    // The observer runs before the sheet is drawn, so before anyone who sees the sheet can press a key.
    const cachedBy = page.evaluate(`new Promise((resolve) => {
      const watcher = new MutationObserver(() => {
        if (document.querySelector('[role=dialog]') === null) return;
        watcher.disconnect();
        resolve(document.activeElement.getAttribute('role'));
      });
      watcher.observe(document.body, { childList: true, subtree: true });
    })`);
    await page.getByRole('button', { name: 'Catalog' }).press('Enter');
    expect(await cachedBy).to.equal('dialog');
    await context.close();
  });

  it('is not available to an auditor', async () => {
    const { page, context } = await pages.signedIn('--role', 'auditor');
    expect(await page.getByRole('link', { name: 'Phone' }).count()).to.equal(0);
    await page.goto(at({}));
    await page.getByText('Auditors have read-only access').waitFor();
    await context.close();
  });

  it('is mirrored in right-to-left languages', async () => {
    const { page, context } = await pages.signedIn();
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    /** Returns each part's distance from the start side of the phone, or from the end side for sent messages. */
    const scanned = async (lang: string) => {
      await page.goto(at({ customer: `+${ASHA}`, lang }));
      await device(page).locator('.bubble').nth(4).waitFor();
      const phone = (await device(page).boundingBox())!;
      const places: Record<string, number> = {};
      for (const part of ['.contact .tile', '.shares summary', '.bubble.received', '.bubble.sent', '.send', '.cart']) {
        const one = part === '.cart' ? device(page).locator('.contact .tap').last() : device(page).locator(part).last();
        const box = (await one.boundingBox())!;
        const left = box.x - phone.x;
        const right = phone.x + phone.width - box.x - box.width;
        const ends = ['.bubble.sent', '.send', '.cart'].includes(part);
        places[part] = (lang === 'ar') === ends ? left : right;
      }
      return { places, picture: await device(page).screenshot({ animations: 'disabled' }) };
    };
    const english = await scanned('en');
    const arabic = await scanned('ar');
    for (const [part, distance] of Object.entries(english.places))
      expect(arabic.places[part], part).to.be.closeTo(distance, TOLERANCE);
    const { asItIs, turnedRound } = await mirrored(pages.browser, english.picture, arabic.picture);
    expect(turnedRound, 'the pictures, one of them turned round').to.be.below(8);
    expect(asItIs, 'the pictures as they are').to.be.above(1.5 * turnedRound);
    expect(await device(page).getAttribute('dir')).to.equal('rtl');
    await context.close();
  });

  it('has no axe violations, in both schemes and three widths, also in its sheets', async () => {
    const { page, context } = await pages.signedIn();
    const faults = await faultsOnEachScreen(page, [
      at({ customer: `+${ASHA}` }),
      at({ customer: `+${CUSTOMER}`, lang: 'ar' }),
      at({ customer: '+252615550199', lang: 'so' }),
    ]);
    await page.getByRole('button', { name: 'Liiska alaabta' }).click();
    await page
      .getByRole('button', { name: /^Ku dar/ })
      .first()
      .click();
    faults.push(...(await faultsOf(page, 'the catalog')));
    await page.getByRole('button', { name: /^Xabbo/ }).click();
    faults.push(...(await faultsOf(page, 'the cart')));
    await page.keyboard.press('Escape');
    await page.getByLabel('La wadaag', { exact: true }).click();
    faults.push(...(await faultsOf(page, 'what is shared')));
    await device(page).getByRole('button', { name: 'Goob' }).click();
    faults.push(...(await faultsOf(page, 'a place')));
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
