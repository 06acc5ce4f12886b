/** What is wrong with a page for whoever cannot see it as it was drawn, in both schemes and on each screen. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { SCREENS } from './consoleBrowser.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SCHEMES = ['light', 'dark'] as const;

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** What axe finds on the page as it is, and whether it is wider than the screen. */
export async function faultsOf(page: Page, where: string): Promise<string[]> {
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

/** The same of several pages, in both schemes and on each screen: three widths unless others are named. */
export async function faultsOnEachScreen(
  page: Page,
  urls: readonly string[],
  screens: readonly { readonly width: number; readonly height: number }[] = SCREENS,
): Promise<string[]> {
  const faults: string[] = [];
  const looks = screens.flatMap((screen) => SCHEMES.map((colorScheme) => ({ screen, colorScheme })));
  for (const url of urls) {
    await page.goto(url);
    for (const { screen, colorScheme } of looks) {
      await page.setViewportSize(screen);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      faults.push(...(await faultsOf(page, `${new URL(url).pathname} ${screen.width} ${colorScheme}`)));
    }
  }
  return faults;
}
