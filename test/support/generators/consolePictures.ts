/** `npm run pictures`: takes the pictures of the console in `docs/pictures` from the demo's day. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { chromiumPath, openBrowser } from '../../../harness/service/browser.js';
import { projectFolder } from '../../../harness/service/serviceProcess.js';
import { openConsoleDay } from '../browser/consoleDay.js';

const FOLDER = join(projectFolder, 'docs/pictures');
const SCREEN = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const NAMES = ['حمدي عبدي', 'Faadumo Cabdullaahi Nuur', 'Ismahan Yuusuf', 'Cali Maxamed'];

const path = chromiumPath();
if (path === undefined) throw new Error('There is no Chromium: apt-get install chromium-headless-shell.');
mkdirSync(FOLDER, { recursive: true });
const [day, { browser, close }] = await Promise.all([openConsoleDay(NAMES), openBrowser(path)]);

/** Reads the console's API as the user who is signed in on the page. */
// biome-ignore lint/suspicious/noExplicitAny: body of any answer
const requested = async (page: Page, path: string): Promise<any> =>
  (await page.request.get(`${day.baseUrl}/console/api${path}`)).json();

try {
  const page = await browser.newPage({ viewport: SCREEN, locale: 'en-GB', reducedMotion: 'reduce' });
  await page.goto(day.link());
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  const take = async (
    name: string,
    place: string,
    colorScheme: 'light' | 'dark',
    viewport = SCREEN,
    until?: RegExp,
  ): Promise<void> => {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await page.goto(`${day.baseUrl}/console${place}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    if (until !== undefined) await page.getByText(until).first().waitFor();
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    await page.screenshot({ path: join(FOLDER, `console-${name}.png`) });
    process.stdout.write(`docs/pictures/console-${name}.png was taken\n`);
  };
  const orders = `/s/${day.workspaceId}/orders`;
  await take('orders', orders, 'light');
  await take('order', `${orders}/${day.orderId}?at=2`, 'light');
  await take('order-phone', `${orders}/${day.orderId}?at=4`, 'dark', PHONE);
  const asha = `customer=${encodeURIComponent('+252615550101')}&name=Asha`;
  await take('phone', `/s/${day.workspaceId}/phone?${asha}`, 'light', SCREEN, /has been handed over/);
  await take('phone-arabic', `/s/${day.workspaceId}/phone?${asha}&lang=ar`, 'dark', PHONE, /has been handed over/);
  await take('events', '/events?area=orders', 'dark');
  await take('machine', '/machine', 'light', SCREEN, /last [6-9]\.\d s/);
  const { steps } = await requested(page, `/orders/${day.orderId}/timeline`);
  const [from, to] = [steps[0], steps[2]].map(({ event }) => event.at);
  const moments = `/s/${day.workspaceId}/moments?kind=order&id=${day.orderId}&from=${from}&to=${to}`;
  await take('moments', moments, 'light');
  const { conversations } = await requested(page, `/v1/workspaces/${day.workspaceId}/conversations`);
  await take('inbox', `/s/${day.workspaceId}/inbox/${conversations[0].id}`, 'light', SCREEN, /on a map/);
  await take('requests', '/requests', 'dark', SCREEN, /cancelOrder/);
  const { partners } = (await requested(page, '/commands/partners.list')).result;
  await take('admin', `/admin/partners?row=${partners[0].id}&do=partners.appearance`, 'light');
  const [endpoint] = (await requested(page, `/v1/workspaces/${day.workspaceId}/webhook-endpoints`)).endpoints;
  const hooks = `/s/${day.workspaceId}/webhooks?endpoint=${endpoint.id}`;
  await take('webhooks', hooks, 'dark');
  await take('stepper', `/machine/orders?document=${day.orderId}&at=3`, 'dark');
  for (const [name, place, colorScheme, viewport] of [
    ['operation', '/docs/api/createPromotion', 'light', SCREEN],
    ['operation-phone', '/docs/api/createPromotion', 'dark', PHONE],
  ] as const) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await page.goto(day.baseUrl + place);
    await page.screenshot({ path: join(FOLDER, `docs-${name}.png`) });
    process.stdout.write(`docs/pictures/docs-${name}.png was taken\n`);
  }
} finally {
  await close();
  await day.close();
}
