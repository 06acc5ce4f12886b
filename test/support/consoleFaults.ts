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

/**
 * All of a page that what axe finds hangs on: its elements, which of them are seen, in which colours, how large their letters are, and
 * which of them scroll. Two widths of one layout have the same.
 */
const LOOK = `Array.from(document.querySelectorAll('*'), (element) => {
  if (!element.checkVisibility({ visibilityProperty: true })) return '-';
  const style = getComputedStyle(element);
  const { color, backgroundColor, backgroundImage, opacity, textDecorationLine, position } = style;
  const isLarge = Number.parseFloat(style.fontSize) >= (Number(style.fontWeight) >= 700 ? 18.5 : 24);
  const isBeyond = element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight;
  const scrolls = isBeyond && /auto|scroll/.test(style.overflowX + style.overflowY);
  const names = Array.from(element.attributes, ({ name, value }) => name + '=' + value);
  return [element.tagName, names, color, backgroundColor, backgroundImage, opacity, textDecorationLine, position, isLarge, scrolls].join();
}).join()`;

/** What axe finds on the page as it stands, unless it `has` seen one that looks so, and whether it is wider than the screen. */
async function faultsUnlessSeen(page: Page, where: string, has: (look: string) => boolean): Promise<string[]> {
  await page.getByRole('main').waitFor();
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  const wide = beyond > 0 ? [`${where}: ${beyond} px wider than the screen`] : [];
  if (has(await page.evaluate<string>(LOOK))) return wide;
  // Not by a script of the page, which its policy would not admit; once a document.
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(AXE);
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<{ violations: Finding[] }> } };
    // What passes is not described: on a large page that takes as long as to look.
    return (await axe.run({ resultTypes: ['violations'], selectors: false })).violations;
  });
  return [...found.map(({ id, nodes }) => `${where}: ${id} ${nodes[0]?.html} ${nodes[0]?.failureSummary}`), ...wide];
}

/** What axe finds on the page as it is, and whether it is wider than the screen. */
export const faultsOf = (page: Page, where: string): Promise<string[]> => faultsUnlessSeen(page, where, () => false);

/** The same of several pages, in both schemes and on each screen: three widths unless others are named. */
export async function faultsOnEachScreen(
  page: Page,
  urls: readonly string[],
  screens: readonly { readonly width: number; readonly height: number }[] = SCREENS,
): Promise<string[]> {
  const faults: string[] = [];
  for (const url of urls) {
    await page.goto(url);
    const seen = new Set<string>();
    const has = (look: string): boolean => seen.has(look) || !seen.add(look);
    for (const colorScheme of SCHEMES)
      for (const screen of screens) {
        await page.setViewportSize(screen);
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        faults.push(...(await faultsUnlessSeen(page, `${new URL(url).pathname} ${screen.width} ${colorScheme}`, has)));
      }
  }
  return faults;
}
