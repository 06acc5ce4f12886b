/** Members of a store in Chromium: they sign in by their own links, and their screens follow their role. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { consolePages, SCREENS } from '../support/browser/consoleBrowser.js';
import { openConsoleDay } from '../support/browser/consoleDay.js';
import { faultsOf } from '../support/browser/consoleFaults.js';

/** A changed role applies within two seconds; the rest is for a busy machine. */
const WITHIN_MS = 2_000 + 3_000;

describe('members in a browser', function () {
  this.timeout(240_000);
  const pages = consolePages(openConsoleDay, (day, ...words) => day.link(...words));
  const add = (name: string, role: string): string => {
    const { run, workspaceId } = pages.seen;
    const email = `${name.toLowerCase()}@example.com`;
    const words = ['--workspace', workspaceId, '--email', email, '--name', name, '--role', role];
    return (run('admin', 'members', 'add', ...words) as { id: string }).id;
  };
  const change = (...words: string[]): unknown =>
    pages.seen.run('admin', 'members', ...words, '--workspace', pages.seen.workspaceId);
  const enter = async (url: string) => {
    const context = await pages.browser.newContext({ viewport: SCREENS[1], locale: 'en-GB' });
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    await page.goto(url);
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    return { context, page };
  };
  const signIn = (id: string) => enter((change('link', '--id', id) as { url: string }).url);
  const menu = (page: Page): Promise<string[]> =>
    page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allTextContents();

  it('create a link for a member of a lower role, who signs in and sees the pages of that role', async () => {
    const owner = await signIn(add('Asha', 'owner'));
    const agentId = add('Bashir', 'agent');
    const { page } = owner;
    await page.getByRole('link', { name: 'Members' }).click();
    const card = page.getByRole('listitem').filter({ hasText: 'Bashir' });
    await card.getByText('has not signed in yet').waitFor();
    await card.getByRole('button', { name: 'Create sign-in link' }).click();
    const url = (await card.locator('code').textContent()) ?? '';
    expect(await faultsOf(page, 'members')).to.deep.equal([]);
    const agent = await enter(url);
    await agent.page.getByRole('heading', { name: 'Orders' }).waitFor();
    expect(await menu(agent.page)).to.deep.equal(['Orders', 'Inbox', 'Members']);
    await agent.page.getByText('Bashir · Agent').waitFor();

    change('role', '--id', agentId, '--role', 'supervisor');
    await agent.page.getByRole('link', { name: 'Promotions' }).waitFor({ timeout: WITHIN_MS });
    change('disable', '--id', agentId);
    await agent.page.getByRole('heading', { name: 'Sign in' }).waitFor({ timeout: WITHIN_MS });
    await agent.context.close();
    await owner.context.close();
  });

  it('reply to a customer and change an order in their own name', async () => {
    const { run, workspaceId, partner } = pages.seen;
    const { page, context } = await signIn(add('Cawo', 'agent'));
    const { orderId } = run('trigger', 'order.paid', '--store', workspaceId) as { orderId: string };
    await page.goto(`${pages.seen.baseUrl}/console/s/${workspaceId}/orders/${orderId}`);
    await page.getByRole('button', { name: 'Accept and prepare' }).click();
    await page.getByText('The order is now: Preparing.').waitFor();
    await page.getByText('Cawo').first().waitFor();
    const { conversations } = await partner.listConversations({ workspaceId });
    const { id } = conversations[0]!;
    await page.goto(`${pages.seen.baseUrl}/console/s/${workspaceId}/inbox/${id}`);
    await page.getByRole('button', { name: 'Assign to me' }).click();
    await page.getByText('Assigned to you.').waitFor();
    await page.getByRole('button', { name: 'Assigned to me' }).click();
    await page
      .getByRole('link', { name: new RegExp(conversations[0]!.contact.name) })
      .first()
      .waitFor();
    expect((await partner.getConversation({ workspaceId, conversationId: id })).unreadCount).to.equal(0);
    await page.getByRole('textbox', { name: 'Reply' }).fill('Waan hayaa');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Waan hayaa').last().waitFor();
    const { messages } = await partner.listMessages({ workspaceId, conversationId: id });
    const sent = messages.find(({ text }) => text === 'Waan hayaa')!;
    expect(sent.sentByMemberId).to.be.a('string');
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByText('Closed.').waitFor();
    expect((await partner.getConversation({ workspaceId, conversationId: id })).status).to.equal('closed');
    await page.getByRole('button', { name: 'Reopen' }).click();
    await page.getByText('Reopened.').waitFor();
    await context.close();
  });

  it('see orders without buttons as a viewer', async () => {
    const { page, context } = await signIn(add('Dahir', 'viewer'));
    await page.getByRole('heading', { name: 'Orders' }).waitFor();
    expect(await menu(page)).to.deep.equal(['Orders', 'Members']);
    const { workspaceId, orderId, baseUrl } = pages.seen;
    await page.goto(`${baseUrl}/console/s/${workspaceId}/orders/${orderId}`);
    await page.getByRole('heading', { name: /Order #/ }).waitFor();
    expect(await page.getByRole('button', { name: 'Cancel…' }).count()).to.equal(0);
    await page.setViewportSize(SCREENS[0]);
    expect(await faultsOf(page, 'an order of a viewer')).to.deep.equal([]);
    await context.close();
  });
});
