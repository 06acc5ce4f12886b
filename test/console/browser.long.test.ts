/** The console as people see it, in Chromium: the demo's day looked through, each page for everybody, on every screen. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { chromiumPath, type OpenBrowser, openBrowser } from '../support/browser.js';
import { type ConsoleDay, openConsoleDay } from '../support/consoleDay.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SCREENS = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
  { width: 2560, height: 1300 },
] as const;
const SCHEMES = ['light', 'dark'] as const;

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Waits until so many are left. */
const expectCount = (found: Locator, count: number): Promise<void> => found.nth(count).waitFor({ state: 'detached' });

describe('the console in a browser', function () {
  this.timeout(240_000);
  const path = chromiumPath();
  let day: ConsoleDay;
  let browser: Browser;
  let closeBrowser: OpenBrowser['close'] | undefined;
  const troubles: string[] = [];

  before(async function () {
    if (path === undefined) {
      process.stdout.write(
        '    skipped: the console in a browser, since there is no Chromium (apt-get install chromium)\n',
      );
      this.skip();
    }
    ({ browser, close: closeBrowser } = await openBrowser(path));
    day = await openConsoleDay();
  });
  // Side by side: neither is waited for by the other when it does not end.
  after(() => Promise.all([closeBrowser?.(), day?.close()]));
  afterEach(() => {
    expect(troubles.splice(0), 'what the browser complained of').to.deep.equal([]);
  });

  /** Signed in by a link, with what goes wrong in the page noted. */
  async function signedIn(...words: string[]): Promise<{ context: BrowserContext; page: Page }> {
    const context = await browser.newContext({ viewport: SCREENS[1], locale: 'en-GB' });
    const page = await context.newPage();
    page.on('pageerror', ({ message }) => troubles.push(message));
    page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
    await page.goto(day.link(...words));
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    return { context, page };
  }
  const at = (place: string): string => `${day.baseUrl}/console${place}`;
  const ordersOf = (): string => `/s/${day.workspaceId}/orders`;
  const pages = (): readonly string[] => [
    ordersOf(),
    `${ordersOf()}?status=out_for_delivery`,
    `${ordersOf()}/${day.orderId}?at=2`,
    `${ordersOf()}/00000000-0000-4000-8000-000000000000`,
    '/events',
    '/events/40',
    '/machine',
    '/sessions',
    `/s/${day.workspaceId}/webhooks`,
  ];

  it('opens by the link once, and keeps its secret out of the address', async () => {
    const link = day.link();
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(link);
    await page.getByRole('heading', { name: 'Orders' }).waitFor();
    expect(page.url()).not.to.contain('#');
    const other = await (await browser.newContext()).newPage();
    await other.goto(link);
    await other.getByText('The link has been used').waitFor();
    await context.close();
  });

  it('lists orders, with names as people write them and no markup run', async () => {
    const { page, context } = await signedIn();
    await page.goto(at(ordersOf()));
    await page.getByText('<img src=x onerror=alert(1)>').waitFor();
    await page.getByText('حمدي عبدي').waitFor();
    await page.getByRole('button', { name: 'Cancelled' }).click();
    await page.getByRole('link', { name: '#2' }).waitFor();
    expect(new URL(page.url()).search).to.equal('?status=cancelled');
    expect(await page.getByRole('row').count(), 'the heading and one order').to.equal(2);
    await page.getByRole('button', { name: 'Preparing' }).click();
    await page.getByText('No order is like this').waitFor();
    await page.goBack();
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
    expect(await page.getByRole('link', { name: 'Sessions' }).count()).to.equal(0);
    await page.goto(at('/events?type=ConsoleRead'));
    await page.getByRole('link', { name: 'ConsoleRead' }).first().waitFor();
    await context.close();
  });

  it('shows what an event led to, down to the webhook', async () => {
    const { page, context } = await signedIn();
    await page.goto(at(`${ordersOf()}/${day.orderId}?at=2`));
    await page.getByText('order.checked_out').waitFor();
    await page
      .getByText(/attempt 1 · 204/)
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Message queued' }).first().click();
    await page.getByRole('heading', { name: 'Message queued' }).waitFor();
    await context.close();
  });

  it('follows the log as it grows, and goes on after a pause', async () => {
    const { page, context } = await signedIn();
    await page.goto(at('/events?type=ConsoleLinkMade'));
    await page.getByText('Live', { exact: true }).waitFor();
    const rows = page.getByRole('row');
    const before = await rows.count();
    day.link();
    await rows.nth(before).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    day.link();
    await page.getByRole('button', { name: 'Go on' }).click();
    await rows.nth(before + 1).waitFor();
    await context.close();
  });

  it('lets an operator rebuild a read model, once they are sure', async () => {
    const { page, context } = await signedIn();
    await page.goto(at('/machine'));
    await page.getByRole('button', { name: 'Rebuild plans' }).click();
    await page.getByRole('button', { name: 'Yes, rebuild' }).click();
    await page.getByRole('button', { name: 'Rebuild plans' }).waitFor();
    await page.goto(at('/events'));
    await context.close();
  });

  it('shows a store’s people their store alone', async () => {
    const { page, context } = await signedIn('link', '--workspace', day.workspaceId, '--for', '30m');
    expect(await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allTextContents()).to.deep.equal([
      'Orders',
      'Webhooks',
      'Events',
    ]);
    await page.goto(at('/sessions'));
    await page.getByText('This is not for your role').waitFor();
    await context.close();
  });

  it('is reached by keys alone', async () => {
    const { page, context } = await signedIn();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to' }).waitFor();
    await page.keyboard.type('mach');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Machine room' }).waitFor();
    await context.close();
  });

  it('ends where its person signs out', async () => {
    const { page, context } = await signedIn();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goto(at('/events'));
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    // The browser notes each answer that is no success.
    troubles.splice(0);
    await context.close();
  });

  it('shows nothing more where another has ended the session', async () => {
    const { page, context } = await signedIn('link', '--workspace', day.workspaceId);
    const operator = await signedIn();
    await page.goto(at('/events'));
    await page.getByText('Live', { exact: true }).waitFor();
    await operator.page.goto(at('/sessions'));
    const theirs = operator.page
      .getByRole('listitem')
      .filter({ has: operator.page.getByRole('heading', { name: 'store' }) });
    await theirs.first().waitFor();
    for (let left = await theirs.count(); left > 0; left--) {
      await theirs.first().getByRole('button', { name: 'End it' }).click();
      await expectCount(theirs, left - 1);
    }
    await page.getByRole('link', { name: 'Orders', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByRole('table').count()).to.equal(0);
    troubles.splice(0);
    await Promise.all([context.close(), operator.context.close()]);
  });

  /** What axe finds on the page as it is, and whether it is wider than the screen. */
  async function faultsOf(page: Page, where: string): Promise<string[]> {
    await page.getByRole('main').waitFor();
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    // Not by a script of the page, which its policy would not admit.
    await page.evaluate(AXE);
    const found = await page.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: Finding[] }> } };
      return (await axe.run()).violations;
    });
    const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    return [
      ...found.map(({ id, nodes }) => `${where}: ${id} ${nodes[0]?.html} ${nodes[0]?.failureSummary}`),
      ...(beyond > 0 ? [`${where}: ${beyond} px wider than the screen`] : []),
    ];
  }

  it('has no fault that axe finds, and nothing beside the screen, on each page in both schemes and three widths', async () => {
    const { page, context } = await signedIn();
    const faults: string[] = [];
    const looks = SCREENS.flatMap((screen) => SCHEMES.map((colorScheme) => ({ screen, colorScheme })));
    for (const place of pages()) {
      await page.goto(at(place));
      for (const { screen, colorScheme } of looks) {
        await page.setViewportSize(screen);
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        faults.push(...(await faultsOf(page, `${place} ${screen.width} ${colorScheme}`)));
      }
    }
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to' }).waitFor();
    faults.push(...(await faultsOf(page, 'the palette')));
    // One page shows an order that does not exist.
    troubles.splice(0);
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
