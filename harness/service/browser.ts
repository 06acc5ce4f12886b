/**
 * Debian's Chromium, without a window, for tests of what people see; `undefined` where it is not installed. Its shell without a window
 * comes first: a page costs it two thirds of the time.
 */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
/** A browser that has not ended this long after its close call, in ms, is killed: occasionally one never ends. */
const CLOSE_MS = 15_000;

export interface OpenBrowser {
  readonly browser: Browser;
  close(): Promise<void>;
}

export const chromiumPath = (): string | undefined => PLACES.find((place) => existsSync(place));

export async function openBrowser(executablePath: string): Promise<OpenBrowser> {
  // Its own sandbox needs rights that a container does not have; it opens this service's pages alone.
  const server = await chromium.launchServer({
    executablePath,
    host: '127.0.0.1',
    args: ['--no-sandbox', '--force-color-profile=srgb'],
  });
  return {
    browser: await chromium.connect(server.wsEndpoint()),
    async close() {
      const killing = setTimeout(() => void server.kill(), CLOSE_MS);
      await server.close();
      clearTimeout(killing);
    },
  };
}
