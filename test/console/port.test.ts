/** The console on a port of its own: what is the operator's is not on the public one. */
import { expect } from 'chai';
import { type ConsoleStage, openConsoleStage, SHOP } from '../support/stages/consoleStage.js';

describe('a separate port for the console', () => {
  let stage: ConsoleStage;
  before(async () => {
    stage = await openConsoleStage({ apart: true });
  });
  after(() => stage.close());
  const statusOf = async (url: string): Promise<number> => (await fetch(url)).status;

  it('serves the console, readiness and metrics, which the public port does not', async () => {
    const own = new URL(stage.consoleUrl).origin;
    expect(own).not.to.equal(stage.url);
    for (const path of ['/readyz', '/metrics', '/console', '/console/enter']) {
      expect([path, await statusOf(own + path)]).to.deep.equal([path, 200]);
      expect([path, await statusOf(stage.url + path)]).to.deep.equal([path, 404]);
    }
    expect([await statusOf(`${own}/healthz`), await statusOf(`${stage.url}/healthz`)]).to.deep.equal([200, 200]);
  });

  it('serves nothing of the API, which the public port continues to', async () => {
    const own = new URL(stage.consoleUrl).origin;
    const orders = `/api/v1/workspaces/${SHOP}/commerce/orders`;
    expect([await statusOf(own + orders), await statusOf(stage.url + orders)]).to.deep.equal([404, 401]);
    expect([await statusOf(`${own}/docs`), await statusOf(`${stage.url}/docs`)]).to.deep.equal([404, 200]);
    expect((await stage.request('GET', '/api/session')).body.code).to.equal('console_signed_out');
    const browser = await stage.signIn({ role: 'operator' });
    expect((await stage.read(browser, '/api/stores')).status).to.equal(200);
  });
});
