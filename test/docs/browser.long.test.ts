/** The documentation in Chromium, on a running service. */
import { join } from 'node:path';
import { expect } from 'chai';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { problemKinds } from '../../api/contract/problems.js';
import { chromiumPath, type OpenBrowser, openBrowser } from '../../harness/service/browser.js';
import { readDemo, type ServiceProcess, startService, temporaryFolder } from '../../harness/service/serviceProcess.js';
import { readModel } from '../../site/document.js';
import { GUIDES } from '../../site/guides.js';
import { faultsOf, faultsOnEachScreen } from '../support/browser/consoleFaults.js';
import { commandLine } from '../support/stages/commandLine.js';
import { until } from '../support/tools/until.js';

/** Screen sizes, from a phone to a wall display. */
const SCREENS = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
  { width: 2560, height: 1300 },
] as const;

/** One page of each kind, and the fullest pages. */
const KINDS = [
  '/docs',
  '/docs/api',
  '/docs/api/startConversation',
  '/docs/api/uploadFile',
  '/docs/events/order.paid',
  '/docs/guides/webhooks',
  '/docs/guides/going-live',
  '/docs/downloads',
  '/errors',
  '/errors/validation_failed',
];

const searchBox = (page: Page): Locator => page.getByRole('searchbox', { name: 'Search the documentation' });
const answered = (page: Page, status: string): Promise<void> =>
  page.locator('[data-result] .status', { hasText: status }).waitFor();

describe('the documentation in a browser', function () {
  this.timeout(240_000);
  const folder = temporaryFolder('suuq-docs-');
  const data = join(folder.path, 'data');
  let service: ServiceProcess;
  let opened: OpenBrowser;
  const troubles: string[] = [];
  before(async function () {
    const path = chromiumPath();
    if (path === undefined) {
      process.stdout.write('    skipped: the documentation in a browser, since there is no Chromium\n');
      this.skip();
    }
    [opened, service] = await Promise.all([openBrowser(path), startService(data)]);
  });
  after(async () => {
    await Promise.all([opened?.close(), service?.stop()]);
    folder.remove();
  });
  afterEach(() => expect(troubles.splice(0), 'what the browser complained of').to.deep.equal([]));
  /** Waits for a complaint. The browser reports an answer slightly before or after the page. */
  async function complained(of: string): Promise<void> {
    await until(`the browser reports ${of}`, () => troubles.some((one) => one.includes(of)));
    troubles.splice(0);
  }

  async function opening(path: string, options: object = {}): Promise<{ page: Page; context: BrowserContext }> {
    const context = await opened.browser.newContext({ viewport: SCREENS[2], locale: 'en-GB', ...options });
    // A slow machine is not a failure.
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    page.on('pageerror', ({ message }) => troubles.push(message));
    page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
    await page.goto(service.baseUrl + path);
    return { page, context };
  }

  it('has no axe violations and no horizontal scrolling, from phones to large screens, in both schemes', async function () {
    this.timeout(900_000);
    const { page, context } = await opening('/docs');
    const urls = KINDS.map((path) => service.baseUrl + path);
    expect(await faultsOnEachScreen(page, urls, SCREENS)).to.deep.equal([]);
    await context.close();
  });

  it('does not scroll horizontally on a phone, on any page', async () => {
    const { page, context } = await opening('/docs', { viewport: SCREENS[0] });
    const { operations, events } = readModel();
    const wide: string[] = [];
    const groups = [
      operations.map(({ id }) => `/docs/api/${id}`),
      events.map(({ type }) => `/docs/events/${type}`),
      GUIDES.map(({ slug }) => `/docs/guides/${slug}`),
      Object.keys(problemKinds).map((code) => `/errors/${code}`),
    ];
    for (const paths of groups) {
      await page.goto(service.baseUrl + paths[0]!);
      // Pages of a group share their styles. Replacing the differing content is much faster than navigation.
      const found = await page.evaluate<readonly (readonly [string, number])[]>(`(async () => {
        const found = [];
        for (const path of ${JSON.stringify(paths)}) {
          const html = await (await fetch(path)).text();
          document.body.replaceWith(new DOMParser().parseFromString(html, 'text/html').body);
          found.push([path, document.documentElement.scrollWidth - innerWidth]);
        }
        return found;
      })()`);
      for (const [path, beyond] of found) if (beyond > 0) wide.push(`${path}: ${beyond} px`);
    }
    expect(wide).to.deep.equal([]);
    await context.close();
  });

  it('has no axe violations in its menu, search and form', async () => {
    const { page, context } = await opening('/docs/api/listOrders', { viewport: SCREENS[0] });
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    const faults: string[] = [];
    expect(await page.getByRole('main').isVisible()).to.equal(false);
    await page.keyboard.press('Escape');
    await page.getByText('Try it').click();
    faults.push(...(await faultsOf(page, 'the form')));
    await page.keyboard.press('Control+k');
    await searchBox(page).fill('webhook');
    await page.getByRole('list', { name: 'Found' }).getByRole('link').first().waitFor();
    faults.push(...(await faultsOf(page, 'the search')));
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('is searched while typing, and usable by keyboard', async () => {
    const { page, context } = await opening('/docs');
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    const searched = (): string[] => requested.filter((path) => path.endsWith('search.json'));
    await page.reload({ waitUntil: 'networkidle' });
    expect(requested).to.include('/docs');
    expect(searched(), 'before anybody searches').to.deep.equal([]);
    await page.keyboard.press('/');
    await searchBox(page).fill('refund');
    await page.getByRole('list', { name: 'Found' }).getByRole('link').first().waitFor();
    await searchBox(page).fill('order.refunded');
    await page.getByRole('link', { name: 'order.refunded Event' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/events/order.refunded');
    expect(searched()).to.have.length(1);
    await page.keyboard.press('/');
    await searchBox(page).fill('xyzzyplugh');
    await page.getByText('No results for “xyzzyplugh”.').waitFor();
    await page.keyboard.press('Escape');
    await searchBox(page).waitFor({ state: 'hidden' });
    await context.close();
  });

  it('stores the language of samples and the theme, and copies code', async () => {
    const { page, context } = await opening('/docs/api/createPromotion');
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Python' }).click();
    await page.getByRole('button', { name: /^Theme/ }).click();
    await page.goto(`${service.baseUrl}/docs/api/getOrder`);
    const code = page.locator('figure[data-language="python"] code');
    await code.waitFor();
    expect(await page.locator('figure[data-language="bash"]').isVisible()).to.equal(false);
    expect(await page.evaluate('document.documentElement.dataset.theme')).to.equal('light');
    await page.getByRole('button', { name: 'Theme: light', exact: true }).waitFor();
    await page.locator('figure[data-language="python"]').getByRole('button').click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied)
      .to.equal(await code.textContent())
      .and.to.include('import requests');
    await context.close();
  });

  it('redirects old addresses to the operation’s page', async () => {
    const { page, context } = await opening('/docs#createPromotion');
    await page.waitForURL('**/docs/api/createPromotion');
    await context.close();
  });

  it('is readable without scripts', async () => {
    const { page, context } = await opening('/docs/api/createPromotion', { javaScriptEnabled: false });
    for (const language of ['bash', 'typescript', 'python', 'go', 'php'])
      expect(await page.locator(`figure[data-language="${language}"]`).isVisible(), language).to.equal(true);
    for (const button of await page.getByRole('button').all()) expect(await button.isVisible()).to.equal(false);
    await context.close();
  });

  describe('the form that sends a request', () => {
    const keyOf = (): string => readDemo(data).store.secretKey;

    it('uses an entered key, which stays in the tab and out of addresses', async () => {
      const { page, context } = await opening('/docs/api/upsertProduct');
      const addresses: string[] = [];
      page.on('request', (request) => addresses.push(request.url()));
      await page.getByText('Try it').click();
      await page.getByLabel('Key').fill(keyOf());
      await page.getByLabel('workspaceId').fill(readDemo(data).store.workspaceId);
      await page.getByLabel('externalId').fill('tried');
      const { name, imageUrls, priceCents } = {
        name: 'Tried',
        imageUrls: ['https://shop.example.com/a.jpg'],
        priceCents: 100,
      };
      await page.getByRole('textbox', { name: 'Body' }).fill(JSON.stringify({ name, imageUrls, priceCents }));
      await page.getByRole('button', { name: 'Send' }).click();
      await answered(page, '201');
      expect(await page.locator('[data-result] pre').textContent()).to.include('"result": "created"');
      await page.goto(`${service.baseUrl}/docs/api/listProducts`);
      await page.getByText('Try it').click();
      await until('the key is there', async () => (await page.getByLabel('Key').inputValue()) === keyOf());
      await page.getByRole('button', { name: 'Send' }).click();
      await answered(page, '200');
      expect(await page.locator('[data-result] pre').textContent()).to.include('"name": "Tried"');
      for (const address of addresses) expect(address).not.to.include(keyOf());
      expect(await page.evaluate('JSON.stringify(localStorage)')).not.to.include(keyOf());
      await context.close();
      // Another tab does not have the key.
      const other = await opening('/docs/api/listProducts');
      await other.page.getByText('Try it').click();
      expect(await other.page.getByLabel('Key').inputValue()).to.equal('');
      await other.context.close();
    });

    it('reports a body that is not JSON, an unknown key, and an unavailable service', async () => {
      const { page, context } = await opening('/docs/api/createPromotion');
      await page.getByText('Try it').click();
      await page.getByLabel('Key').fill('sk_test_unknown');
      await page.getByLabel('workspaceId').fill(readDemo(data).store.workspaceId);
      await page.getByRole('textbox', { name: 'Body' }).fill('{');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('The body is not JSON').waitFor();
      await page.getByRole('textbox', { name: 'Body' }).fill('{"name": "<img src=x onerror=alert(1)>"}');
      await page.getByRole('button', { name: 'Send' }).click();
      await answered(page, '401');
      expect(await page.locator('[data-result] img').count()).to.equal(0);
      await complained('401');
      await context.setOffline(true);
      await page.getByRole('button', { name: 'Send' }).click();
      await complained('ERR_INTERNET_DISCONNECTED');
      await page.locator('.failed').waitFor();
      await context.close();
    });

    it('offers the demo’s key only to the operator who is signed in to the console', async () => {
      const { page, context } = await opening('/docs/api/listOrders');
      await page.getByText('Try it').click();
      await page.getByRole('button', { name: 'Use the demo’s key' }).click();
      await page.getByText('The demo keys cannot be read from this page').waitFor();
      await complained('401');
      const { json } = commandLine(data);
      for (const role of ['auditor', 'operator']) {
        const { url } = json('console', '--role', role);
        await page.goto(url);
        await page.getByRole('navigation', { name: 'Pages' }).waitFor();
        await page.goto(`${service.baseUrl}/docs/api/listOrders`);
        await page.getByText('Try it').click();
        await page.getByRole('button', { name: 'Use the demo’s key' }).click();
        if (role === 'auditor') {
          await page.getByText('The demo keys cannot be read from this page').waitFor();
          await complained('403');
        }
      }
      await page.getByText('The demo’s key is filled in.').waitFor();
      expect(await page.getByLabel('Key').inputValue()).to.equal(keyOf());
      expect(await page.getByLabel('workspaceId').inputValue()).to.equal(readDemo(data).store.workspaceId);
      await page.getByRole('button', { name: 'Send' }).click();
      await answered(page, '200');
      await context.close();
    });
  });
});
