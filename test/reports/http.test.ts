/** The report of a store over HTTP, for console users of that store. */
import { expect } from 'chai';
import { OTHER, OTHER_ORDER, SHOP, signedIn } from '../support/stages/consoleStage.js';

describe('the report of a store', () => {
  const on = signedIn();
  const path = (workspaceId: string, query = ''): string => `/api/v1/workspaces/${workspaceId}/commerce/report${query}`;

  it('counts by days of the store’s time zone up to today', async () => {
    const { status, body, text } = await on.stage.read(on.shop, path(SHOP, '?days=3'));
    expect(status, text).to.equal(200);
    expect([body.days.length, body.days[2].date, body.timezone]).to.deep.equal([3, body.to, 'Africa/Mogadishu']);
    expect(body.days[2]).to.include({ placed: 1, sold: 0, revenueCents: 0 });
    expect(body.ordersByStatus.find(({ status }: { status: string }) => status === 'cancelled').orders).to.equal(1);
    expect(body.attention).to.deep.equal({ waitingChats: 0, rejectedItems: 0, failingEndpoints: 0 });
  });

  it('has 28 days by default, and ends where the query does', async () => {
    const { body } = await on.stage.read(on.shop, path(SHOP, '?to=2026-02-01'));
    expect([body.from, body.to, body.days.length]).to.deep.equal(['2026-01-05', '2026-02-01', 28]);
    expect(body.days.every(({ placed }: { placed: number }) => placed === 0)).to.equal(true);
  });

  it('rejects invalid days, and more than 92', async () => {
    for (const query of ['?days=0', '?days=93', '?to=2026-02-30', '?to=26-1-1', '?to=0000-01-01']) {
      const { status, body } = await on.stage.read(on.shop, path(SHOP, query));
      expect([query, status, body.errors?.length]).to.deep.equal([query, 422, 1]);
    }
  });

  it('is of one store', async () => {
    expect((await on.stage.read(on.shop, path(OTHER))).body.code).to.equal('not_found');
    const { body } = await on.stage.read(on.operator, path(OTHER, '?days=1'));
    expect(body.ordersByStatus.find(({ status }: { status: string }) => status === 'new').orders).to.equal(1);
  });

  it('reflects an order that the console advances and cancels', async () => {
    const at = `/api/v1/workspaces/${OTHER}/commerce/orders/${OTHER_ORDER}`;
    const refused = await on.stage.change(on.operator, `${at}/status`, { status: 'delivered' });
    expect(refused.body.code).to.equal('order_status_not_allowed');
    expect((await on.stage.change(on.shop, `${at}/cancel`, {})).body.code).to.equal('not_found');
    const { status, body } = await on.stage.change(on.operator, `${at}/cancel`, { reason: 'Out of cloth' });
    expect([status, body.status, body.cancelReason]).to.deep.equal([200, 'cancelled', 'Out of cloth']);
    const report = await on.stage.read(on.operator, path(OTHER, '?days=1'));
    expect(report.body.ordersByStatus.find((one: { status: string }) => one.status === 'cancelled').orders).to.equal(1);
  });
});
