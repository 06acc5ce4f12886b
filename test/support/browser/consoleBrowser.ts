/** Chromium for a suite of tests of the console; where there is none, the suite says that it skips. */
import { expect } from 'chai';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { chromiumPath, type OpenBrowser, openBrowser } from '../../../harness/service/browser.js';

/** From a phone to a wall. */
export const SCREENS = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
  { width: 2560, height: 1300 },
] as const;

export interface ConsolePages {
  readonly browser: Browser;
  /** What the browser complained of since the last test; it fails the test unless it is taken out. */
  readonly troubles: string[];
  /** Somebody signed in by a link, in a browser of their own. `words`: of `suuq console`. */
  signedIn(...words: string[]): Promise<{ readonly context: BrowserContext; readonly page: Page }>;
}

/** Around the suite's tests. `open` starts what is looked at, beside the browser; `link` makes links into it. */
export function consolePages<T extends { close(): unknown }>(
  open: () => Promise<T>,
  link: (looked: T, ...words: string[]) => string | Promise<string>,
): ConsolePages & { readonly looked: T } {
  const troubles: string[] = [];
  const all: { opened?: OpenBrowser; looked?: T } = {};
  before(async function () {
    const path = chromiumPath();
    if (path === undefined) {
      process.stdout.write(
        '    skipped: the console in a browser, since there is no Chromium (apt-get install chromium)\n',
      );
      this.skip();
    }
    all.opened = await openBrowser(path);
    all.looked = await open();
  });
  // Side by side: neither is waited for by the other when it does not end.
  after(() => Promise.all([all.opened?.close(), all.looked?.close()]));
  afterEach(() => {
    expect(troubles.splice(0), 'what the browser complained of').to.deep.equal([]);
  });
  return {
    troubles,
    get browser() {
      return all.opened!.browser;
    },
    get looked() {
      return all.looked!;
    },
    async signedIn(...words) {
      const context = await all.opened!.browser.newContext({ viewport: SCREENS[1], locale: 'en-GB' });
      // A busy machine is slow, and no slower machine is a fault.
      context.setDefaultTimeout(60_000);
      const page = await context.newPage();
      page.on('pageerror', ({ message }) => troubles.push(message));
      page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
      await page.goto(await link(all.looked!, ...words));
      await page.getByRole('navigation', { name: 'Pages' }).waitFor();
      return { context, page };
    },
  };
}
