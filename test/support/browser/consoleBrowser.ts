/** Opens Chromium for a suite of console tests. Skips the suite, with a message, where Chromium is not installed. */
import { expect } from 'chai';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { chromiumPath, type OpenBrowser, openBrowser } from '../../../harness/service/browser.js';

/** Screen sizes from a phone to a wall display. */
export const SCREENS = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
  { width: 2560, height: 1300 },
] as const;

export interface ConsolePages {
  readonly browser: Browser;
  /** Errors that the browser reported since the last test. The test fails unless it removes them. */
  readonly troubles: string[];
  /** Signs a user in by link, in a browser context of its own. `words`: arguments of `suuq console`. */
  signedIn(...words: string[]): Promise<{ readonly context: BrowserContext; readonly page: Page }>;
}

/**
 * Registers hooks around the suite's tests. `open` starts the service under test, `link` creates sign-in links to it.
 */
export function consolePages<T extends { close(): unknown }>(
  open: () => Promise<T>,
  link: (scanned: T, ...words: string[]) => string | Promise<string>,
): ConsolePages & { readonly seen: T } {
  const troubles: string[] = [];
  const all: { opened?: OpenBrowser; looked?: T } = {};
  before(async function () {
    const path = chromiumPath();
    if (path === undefined) {
      process.stdout.write(
        '    skipped: the console in a browser, since there is no Chromium (apt-get install chromium-headless-shell)\n',
      );
      this.skip();
    }
    all.opened = await openBrowser(path);
    all.looked = await open();
  });
  // Closed in parallel, so that one that hangs does not block the other.
  after(() => Promise.all([all.opened?.close(), all.looked?.close()]));
  afterEach(() => {
    expect(troubles.splice(0), 'what the browser complained of').to.deep.equal([]);
  });
  return {
    troubles,
    get browser() {
      return all.opened!.browser;
    },
    get seen() {
      return all.looked!;
    },
    async signedIn(...words) {
      const context = await all.opened!.browser.newContext({ viewport: SCREENS[1], locale: 'en-GB' });
      // A busy machine is slow; that is not a failure.
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
