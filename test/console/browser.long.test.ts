/** The console as people see it, in Chromium: the demo's day looked through, each page for everybody, on every screen. */
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { consolePages } from '../support/browser/consoleBrowser.js';
import { openConsoleDay } from '../support/browser/consoleDay.js';
import { faultsOf, faultsOnEachScreen } from '../support/browser/consoleFaults.js';
import { until } from '../support/tools/until.js';

/** Waits until so many are left. */
const expectCount = (found: Locator, count: number): Promise<void> => found.nth(count).waitFor({ state: 'detached' });

/** In the browser: the list of orders has a million, in one answer. */
const MILLION = `const asked = fetch;
globalThis.fetch = async (url, ...rest) => {
  const answer = await asked(url, ...rest);
  if (!/\\/commerce\\/orders(\\?|$)/.test(String(url))) return answer;
  const { orders: [one] } = await answer.json();
  const orders = Array.from({ length: 1_000_000 }, (_, i) => ({ ...one, id: 'order' + i, number: 1_000_000 - i }));
  return { ok: true, json: async () => ({ orders }) };
};`;
/** Which row is at the middle of what is seen. */
const MIDDLE = `(() => {
  const { left, top, width, height } = document.querySelector('.virtual').getBoundingClientRect();
  const row = document.elementFromPoint(left + width / 2, top + height / 2).closest('[role=row]');
  return Number(row?.getAttribute('aria-rowindex'));
})()`;
/** The longest of the next 60 frames, in ms. */
const FRAMES = `new Promise((resolve) => {
  let left = 60, longest = 0, last = performance.now();
  const next = (now) => {
    longest = Math.max(longest, now - last);
    last = now;
    if (--left > 0) requestAnimationFrame(next);
    else resolve(longest);
  };
  requestAnimationFrame(next);
})`;

describe('the console in a browser', function () {
  this.timeout(240_000);
  const pages = consolePages(openConsoleDay, (day, ...words) => day.link(...words));
  const { troubles, signedIn } = pages;
  const at = (place: string): string => `${pages.seen.baseUrl}/console${place}`;
  const ordersOf = (): string => `/s/${pages.seen.workspaceId}/orders`;
  const places = (): readonly string[] => [
    ordersOf(),
    `${ordersOf()}?status=out_for_delivery`,
    `${ordersOf()}/${pages.seen.orderId}?at=3`,
    `${ordersOf()}/00000000-0000-4000-8000-000000000000`,
    '/events',
    '/events/40',
    '/machine',
    '/sessions',
    `/s/${pages.seen.workspaceId}/webhooks`,
  ];

  it('opens by the link once, and removes its secret from the address', async () => {
    const link = pages.seen.link();
    const context = await pages.browser.newContext();
    const page = await context.newPage();
    await page.goto(link);
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    expect(page.url()).not.to.contain('#');
    const other = await (await pages.browser.newContext()).newPage();
    await other.goto(link);
    await other.getByText('The link was already used').waitFor();
    await context.close();
  });

  it('lists orders, with names shown as text', async () => {
    const { page, context } = await signedIn();
    await page.goto(at(ordersOf()));
    await page.getByText('<img src=x onerror=alert(1)>').waitFor();
    await page.getByText('حمدي عبدي').waitFor();
    await page.getByRole('button', { name: 'Cancelled' }).click();
    await page.getByRole('link', { name: '#2' }).waitFor();
    expect(new URL(page.url()).search).to.equal('?status=cancelled');
    expect(await page.getByRole('row').count(), 'the heading and one order').to.equal(2);
    await page.getByRole('button', { name: 'Preparing' }).click();
    await page.getByText('No matching orders').waitFor();
    await page.goBack();
    await context.close();
  });

  it('scrolls through a million orders, row by row and to the end, without a stall', async () => {
    const { page, context } = await signedIn();
    await page.addInitScript(MILLION);
    await page.goto(at(ordersOf()));
    const list = page.getByRole('table', { name: 'Orders, newest first' });
    await page.getByText('1,000,000 shown').waitFor();
    const shown = async (): Promise<number[]> =>
      (await list.getByRole('link').allTextContents()).map((text) => Number(text.slice(1)));
    await list.focus();
    await page.keyboard.press('End');
    await page.getByRole('link', { name: '#1', exact: true }).waitFor();
    await page.keyboard.press('Home');
    await page.getByRole('link', { name: '#1000000', exact: true }).waitFor();
    // Over the edge of a stretch (row 501,538): as far as the wheel was turned, and no row twice.
    await page.evaluate("document.querySelector('.virtual').scrollTop = 8_021_500");
    const middle = () => page.evaluate<number>(MIDDLE);
    await until('the half is shown', async () => (await middle()) > 400_000);
    const before = await middle();
    const frames = page.evaluate<number>(FRAMES);
    await list.hover();
    for (let turn = 0; turn < 60; turn++) await page.mouse.wheel(0, 52 * 8);
    await until('the scroll of the wheel is finished', async () => (await middle()) === before + 60 * 8);
    const rows = await shown();
    expect(rows).to.deep.equal(Array.from(rows, (_, i) => rows[0]! - i));
    expect(await frames, 'the longest frame, in ms').to.be.below(1_000);
    await context.close();
  });

  it('shows an auditor who cancelled an order, before and after, and records it', async () => {
    const { page, context } = await signedIn('--role', 'auditor');
    await page.goto(at(`${ordersOf()}?status=cancelled`));
    await page.getByRole('link', { name: '#2' }).click();
    const story = page.getByRole('complementary', { name: 'Timeline' });
    const moved = story.getByRole('button', { name: /Order status changed/ });
    await moved.click();
    expect(await moved.textContent()).to.match(/The partner's key ….{4}.*Status: New Cancelled/);
    await page.getByRole('heading', { name: 'Order #2 Cancelled' }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('heading', { name: 'Order #2 New' }).waitFor();
    expect(new URL(page.url()).searchParams.get('at')).to.match(/^\d+$/);
    await page.goto(at('/machine'));
    await page.getByRole('heading', { name: 'Read models' }).waitFor();
    expect(await page.getByRole('button', { name: /Rebuild/ }).count()).to.equal(0);
    expect(await page.getByRole('link', { name: 'Sessions', exact: true }).count()).to.equal(0);
    await page.goto(at('/events?type=ConsoleRead'));
    await page.getByRole('link', { name: 'ConsoleRead' }).first().waitFor();
    await context.close();
  });

  it('shows the effects of an event, down to the webhook', async () => {
    const { page, context } = await signedIn();
    await page.goto(at(`${ordersOf()}/${pages.seen.orderId}?at=3`));
    await page.getByText('order.checked_out').waitFor();
    await page
      .getByText(/attempt 1 · 204/)
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Message queued' }).first().click();
    await page.getByRole('heading', { name: 'Message queued' }).waitFor();
    await context.close();
  });

  it('follows the log as it grows, and continues after a pause', async () => {
    const { page, context } = await signedIn();
    await page.goto(at('/events?type=ConsoleLinkMade'));
    await page.getByText('Live', { exact: true }).waitFor();
    const rows = page.getByRole('row');
    const before = await rows.count();
    pages.seen.link();
    await rows.nth(before).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    pages.seen.link();
    await page.getByRole('button', { name: 'Resume' }).click();
    await rows.nth(before + 1).waitFor();
    await context.close();
  });

  it('lets an operator rebuild a read model after a confirmation', async () => {
    const { page, context } = await signedIn();
    await page.goto(at('/machine'));
    await page.getByRole('button', { name: 'Rebuild plans' }).click();
    await page.getByRole('button', { name: 'Yes, rebuild' }).click();
    await page.getByRole('button', { name: 'Rebuild plans' }).waitFor();
    await page.goto(at('/events'));
    await context.close();
  });

  it('shows a store’s members their store only', async () => {
    const { page, context } = await signedIn('link', '--workspace', pages.seen.workspaceId, '--for', '30m');
    expect(await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allTextContents()).to.deep.equal([
      ...[
        'Home',
        'Orders',
        'Inbox',
        'Catalog',
        'Promotions',
        'Delivery',
        'Payments',
        'Try a cart',
        'Compare versions',
        'Webhooks',
        'Templates',
        'Members',
        'Phone',
        'Event log',
        'Requests',
      ],
      'Administration',
    ]);
    await page.goto(at('/sessions'));
    await page.getByText('Your role has no access').waitFor();
    await context.close();
  });

  it('is usable by keyboard alone', async () => {
    const { page, context } = await signedIn();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to' }).waitFor();
    await page.keyboard.type('syst');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'System' }).waitFor();
    await context.close();
  });

  it('ends when its user signs out', async () => {
    const { page, context } = await signedIn();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goto(at('/events'));
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    // The browser notes each answer that is no success.
    troubles.splice(0);
    await context.close();
  });

  it('shows nothing more after another has ended the session', async () => {
    const { page, context } = await signedIn('link', '--workspace', pages.seen.workspaceId);
    const operator = await signedIn();
    await page.goto(at('/events'));
    await page.getByText('Live', { exact: true }).waitFor();
    await operator.page.goto(at('/sessions'));
    const theirs = operator.page
      .getByRole('listitem')
      .filter({ has: operator.page.getByRole('heading', { name: 'store' }) });
    await theirs.first().waitFor();
    for (let left = await theirs.count(); left > 0; left--) {
      await theirs.first().getByRole('button', { name: 'End session' }).click();
      await expectCount(theirs, left - 1);
    }
    await page.getByRole('link', { name: 'Orders', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByRole('table').count()).to.equal(0);
    troubles.splice(0);
    await Promise.all([context.close(), operator.context.close()]);
  });

  it('has no axe violations and no horizontal scrolling on any page, in both schemes and three widths', async () => {
    const { page, context } = await signedIn();
    const faults = await faultsOnEachScreen(page, places().map(at));
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to' }).waitFor();
    faults.push(...(await faultsOf(page, 'the palette')));
    // One page shows an order that does not exist.
    troubles.splice(0);
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
