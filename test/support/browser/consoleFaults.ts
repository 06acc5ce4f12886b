/** Finds accessibility and layout faults of a page, in both colour schemes and on each screen size. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { SCREENS } from './consoleBrowser.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

async function settled(page: Page): Promise<void> {
  await page.getByRole('main').waitFor();
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
}

/** Returns a fault if the page is wider than the screen. */
async function widerThanScreen(page: Page, where: string): Promise<string[]> {
  await settled(page);
  const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  return beyond > 0 ? [`${where}: ${beyond} px wider than the screen`] : [];
}

async function axeFaults(page: Page, where: string): Promise<string[]> {
  await settled(page);
  // Evaluated from outside, since the page's policy blocks scripts. Once per document.
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(AXE);
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<{ violations: Finding[] }> } };
    // Without details of passing rules: on a large page they take as long as the check itself.
    return (await axe.run({ resultTypes: ['violations'], selectors: false })).violations;
  });
  return found.map(({ id, nodes }) => `${where}: ${id} ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}

/** Returns axe's findings for the page as it is, plus a fault if it is wider than the screen. */
export const faultsOf = async (page: Page, where: string): Promise<string[]> => [
  ...(await axeFaults(page, where)),
  ...(await widerThanScreen(page, where)),
];

/**
 * Returns the faults of several pages: the width on each screen, and axe's findings in the light scheme on the first
 * screen and in the dark scheme on the last. Axe takes a second per page, and more combinations of screen and scheme
 * add no findings.
 */
export async function faultsOnEachScreen(
  page: Page,
  urls: readonly string[],
  screens: readonly { readonly width: number; readonly height: number }[] = SCREENS,
): Promise<string[]> {
  const faults: string[] = [];
  for (const url of urls) {
    await page.goto(url);
    const { pathname } = new URL(url);
    for (const [i, screen] of screens.entries()) {
      const colorScheme = i === screens.length - 1 ? 'dark' : 'light';
      await page.setViewportSize(screen);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const where = `${pathname} ${screen.width} ${colorScheme}`;
      faults.push(...(await widerThanScreen(page, where)));
      if (i === 0 || colorScheme === 'dark') faults.push(...(await axeFaults(page, where)));
    }
  }
  return faults;
}
