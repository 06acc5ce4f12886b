/** Screens in a partner's page, in Chromium with two origins: one that the publishable key allows, and one that it does not. */
import type { Server } from 'node:http';
import { expect } from 'chai';
import type { FrameLocator, Page } from 'playwright-core';
import { type PartnerPage, servePartnerPage } from '../../examples/partnerPage.js';
import { consolePages } from '../support/browser/consoleBrowser.js';
import { openConsoleDay } from '../support/browser/consoleDay.js';

/** A changed role applies within two seconds; the rest is for a busy machine. */
const WITHIN_MS = 2_000 + 3_000;

describe('screens in a partner’s page', function () {
  this.timeout(240_000);
  const pages = consolePages(openConsoleDay, (day, ...words) => day.link(...words));
  const servers: Server[] = [];
  let settings: PartnerPage | undefined;
  let [allowed, foreign] = ['', ''];

  before(async () => {
    const { seen } = pages;
    for (const take of [(url: string) => (allowed = url), (url: string) => (foreign = url)]) {
      const { server, url } = await servePartnerPage(() => settings!);
      servers.push(server);
      take(url);
    }
    const create = ['admin', 'keys', 'create', '--partner', seen.partnerKeys.id, '--mode', 'test'];
    const { key } = seen.run(...create, '--kind', 'publishable', '--origins', allowed) as { key: string };
    const { secretKey } = seen.partnerKeys;
    settings = { baseUrl: seen.baseUrl, publishableKey: key, secretKey, externalRef: seen.externalRef };
  });
  after(() => {
    for (const server of servers) server.close();
  });

  const open = async (url: string): Promise<{ page: Page; frame: FrameLocator; close(): Promise<void> }> => {
    const context = await pages.browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    page.on('pageerror', ({ message }) => pages.troubles.push(message));
    await page.goto(url);
    return { page, frame: page.frameLocator('iframe'), close: () => context.close() };
  };
  const menu = (frame: FrameLocator): Promise<string[]> =>
    frame.getByRole('navigation', { name: 'Pages' }).getByRole('link').allTextContents();

  it('show the pages of the user’s role, and report the current page and unread chats', async () => {
    const { page, frame, close } = await open(`${allowed}/?role=agent`);
    await frame.getByRole('heading', { name: 'Orders' }).waitFor();
    expect(await menu(frame)).to.deep.equal(['Orders', 'Inbox', 'Members']);
    await page.locator('#path').getByText('/orders').waitFor();
    await page
      .locator('#unread')
      .getByText(/^[1-9]/)
      .waitFor();
    await frame.getByRole('link', { name: 'Inbox' }).click();
    await page.locator('#path').getByText('/inbox').waitFor();
    expect(await page.locator('#error').textContent()).to.equal('');
    await close();
  });

  it('change an order in the name of the user', async () => {
    const { run, workspaceId } = pages.seen;
    const { orderId } = run('trigger', 'order.paid', '--store', workspaceId) as { orderId: string };
    const { number } = await pages.seen.partner.getOrder({ workspaceId, orderId });
    const { frame, close } = await open(`${allowed}/?role=supervisor&view=orders`);
    await frame
      .getByRole('link', { name: `#${number}` })
      .first()
      .click();
    await frame.getByRole('button', { name: 'Accept and prepare' }).click();
    await frame.getByText('The order is now: Preparing.').waitFor();
    await frame.getByText('Sample supervisor').first().waitFor();
    expect(await frame.getByRole('navigation', { name: 'Pages' }).count()).to.equal(0);
    await close();
  });

  it('follow a changed role within two seconds, and report the end of the session', async () => {
    const { run, workspaceId } = pages.seen;
    const { page, frame, close } = await open(`${allowed}/?role=viewer`);
    await frame.getByRole('heading', { name: 'Orders' }).waitFor();
    const { members } = run('admin', 'members', 'list', '--workspace', workspaceId) as {
      members: { id: string; name: string }[];
    };
    const { id } = members.find(({ name }) => name === 'Sample viewer')!;
    const change = (...words: string[]) => run('admin', 'members', ...words, '--workspace', workspaceId, '--id', id);
    change('role', '--role', 'supervisor');
    await frame.getByRole('link', { name: 'Promotions' }).waitFor({ timeout: WITHIN_MS });
    // A good token of the partner would enable the member again.
    settings = { ...settings!, secretKey: 'psk_test_of_nobody' };
    change('disable');
    await frame.getByText('Your session has ended.').waitFor();
    await page.locator('#error').getByText('user_token_invalid').waitFor();
    settings = { ...settings, secretKey: pages.seen.partnerKeys.secretKey };
    pages.troubles.splice(0);
    await close();
  });

  it('have the partner’s colour and corners', async () => {
    const { frame, close } = await open(`${allowed}/?role=agent`);
    await frame.getByRole('heading', { name: 'Orders' }).waitFor();
    const root = frame.locator('html');
    const styles = await root.evaluate((element) => {
      const style = (element as unknown as { style: { getPropertyValue(name: string): string } }).style;
      return [style.getPropertyValue('--accent'), style.getPropertyValue('--radius')];
    });
    expect(styles).to.deep.equal(['#0F766E', '8px']);
    await close();
  });

  it('do not appear in a page of another origin', async () => {
    const { page, frame, close } = await open(`${foreign}/?role=agent`);
    await page.waitForTimeout(1_500);
    expect(await frame.getByRole('heading').count()).to.equal(0);
    pages.troubles.splice(0);
    await close();
  });

  it('can be framed only by the key’s origins, and not without any', async () => {
    const { baseUrl, partnerKeys, run } = pages.seen;
    const of = async (key: string): Promise<[number, string | undefined]> => {
      const answer = await fetch(`${baseUrl}/embed/${key}/s/any/orders`);
      const policy = answer.headers.get('content-security-policy') ?? '';
      return [answer.status, /frame-ancestors ([^;]+)/.exec(policy)?.[1]];
    };
    expect(await of(settings!.publishableKey)).to.deep.equal([200, allowed]);
    const create = ['admin', 'keys', 'create', '--partner', partnerKeys.id, '--mode', 'test', '--kind', 'publishable'];
    const { key, id } = run(...create) as { key: string; id: string };
    expect(await of(key)).to.deep.equal([403, "'none'"]);
    run('admin', 'keys', 'revoke', '--id', id);
    expect(await of(key)).to.deep.equal([404, "'none'"]);
    expect(await of('ppk_test_unknown')).to.deep.equal([404, "'none'"]);
  });

  it('accept the token of a session, but no console cookie', async () => {
    const { baseUrl, workspaceId, link } = pages.seen;
    const status = async (path: string, headers: Record<string, string>): Promise<number> =>
      (await fetch(`${baseUrl}${path}`, { headers })).status;
    const entered = await fetch(`${baseUrl}/console/api/enter`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ link: link().split('#')[1] }),
    });
    const cookie = entered.headers.get('set-cookie')!.split(';')[0]!;
    expect(await status('/console/api/session', { cookie })).to.equal(200);
    expect(await status('/embed/api/session', { cookie })).to.equal(401);
    const token = await (await fetch(`${allowed}/user-token?role=agent`)).text();
    const opened = await fetch(`${baseUrl}/embed/api/v1/sdk/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ publishableKey: settings!.publishableKey, userToken: token, embedOrigin: allowed }),
    });
    const { token: session } = (await opened.json()) as { token: string };
    const bearer = { authorization: `Bearer ${session}` };
    expect(await status('/embed/api/session', bearer)).to.equal(200);
    expect(await status('/console/api/session', bearer)).to.equal(401);
    expect(await status(`/embed/api/v1/workspaces/${workspaceId}/commerce/orders`, bearer)).to.equal(200);
    expect(await status(`/embed/api/v1/workspaces/${workspaceId}/commerce/promotions`, bearer)).to.equal(403);
    const other = '00000000-0000-4000-8000-000000000009';
    expect(await status('/embed/api/session', { ...bearer, 'x-suuq-store': other })).to.equal(404);
    expect(await status('/embed/api/machine', bearer)).to.equal(403);
    expect(await status('/embed/api/events', bearer)).to.equal(403);
  });
});
