/** Debian's Chromium, without a window, for tests of what people see; `undefined` where it is not installed. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export const chromiumPath = (): string | undefined => PLACES.find((place) => existsSync(place));

export const openBrowser = (executablePath: string): Promise<Browser> =>
  // Its own sandbox needs rights that a container does not have; it opens this service's pages alone.
  chromium.launch({ executablePath, args: ['--no-sandbox', '--force-color-profile=srgb'] });
