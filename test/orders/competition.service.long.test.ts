import { expect } from 'chai';
import {
  type Demo,
  readDemo,
  type ServiceProcess,
  startService,
  temporaryFolder,
} from '../../harness/service/serviceProcess.js';
import { type Signed, signedCart, signedForm } from '../../harness/service/signedCart.js';
import { until } from '../support/doubles/fakeClock.js';

// biome-ignore lint/suspicious/noExplicitAny: the test reads answers as any client without types would
type Body = any;

describe('a flash sale of 50 % and a coupon of 50 % over HTTP and the signed channel', function () {
  this.timeout(120_000);
  const folder = temporaryFolder('suuq-competition-');
  let service: ServiceProcess;
  let demo: Demo;

  before(async () => {
    service = await startService(folder.path);
    demo = readDemo(folder.path);
    const product = { externalId: 'KETTLE', name: 'Kettle', imageUrls: ['https://img.example.com/1.jpg'] };
    await created('/products/batch', { products: [{ ...product, description: 'Steel', priceCents: 20_00 }] }, 200);
  });
  after(async () => {
    await service?.stop();
    folder.remove();
  });

  async function call(method: string, path: string, body?: object): Promise<{ status: number; body: Body }> {
    const answer = await fetch(`${service.baseUrl}/api/v1/workspaces/${demo.store.workspaceId}/commerce${path}`, {
      method,
      headers: { authorization: `Bearer ${demo.store.secretKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
  }
  async function created(path: string, body: object, status = 201): Promise<Body> {
    const answer = await call('POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(status);
    return answer.body;
  }
  async function deliver({ headers, body }: Signed): Promise<void> {
    const { status } = await fetch(`${service.baseUrl}/channel/webhook`, { method: 'POST', headers, body });
    expect(status).to.equal(200);
  }
  /** Two kettles for customer `n`, checked out with the coupon; the order as it was placed, and as it is in the end. */
  async function buy(
    n: number,
    coupon: string,
    handover: object = { fulfilment: 'pickup' },
  ): Promise<{ placed: Body; bought: Body }> {
    await deliver(signedCart(demo, n, ['KETTLE']));
    let id: string | undefined;
    await until('the order is placed', async () => {
      id = (await call('GET', '/orders?limit=1')).body.orders.find((one: Body) => one.number === n)?.id;
      return id !== undefined;
    });
    const placed = (await call('GET', `/orders/${id}`)).body;
    await deliver(signedForm(demo, n, id!, { ...handover, name: 'Hodan', coupon }));
    let bought: Body;
    await until('the order is checked out', async () => {
      bought = (await call('GET', `/orders/${id}`)).body;
      return bought.checkedOutAt !== undefined;
    });
    return { placed, bought };
  }

  it('charge half the price, a quarter if both are combinable, and apply a better coupon to the regular price', async () => {
    const delivery = { deliveryEnabled: false, pickupEnabled: true, pickupAddress: 'Maka al-Mukarama Road 12' };
    const saved = await call('PUT', '/delivery', {
      ...delivery,
      requestLocation: false,
      notifyStatuses: [],
      areas: [],
    });
    expect(saved.status, JSON.stringify(saved.body)).to.equal(200);
    const sale = { name: 'Flash Friday', kind: 'flash_sale', percentOff: 50 };
    const flash = await created('/promotions', sale);
    const half = { name: 'Half', kind: 'coupon', code: 'HALF', percentOff: 50 };
    const coupon = await created('/promotions', half);
    const { placed, bought } = await buy(1, 'half');
    expect(placed).to.include({ subtotalCents: 20_00, discountCents: 0, totalCents: 20_00 });
    expect(bought)
      .to.include({ subtotalCents: 20_00, discountCents: 0, totalCents: 20_00 })
      .and.not.have.property('couponCode');
    expect(bought.discountReason).to.equal('in the prices: Flash Friday; not combinable with it: Half (HALF)');
    expect((await call('GET', `/promotions/${coupon.id}`)).body).to.include({ redemptions: 0 });

    await call('PUT', `/promotions/${coupon.id}`, { ...half, percentOff: 60 });
    const better = (await buy(2, 'HALF')).bought;
    expect(better).to.include({ subtotalCents: 40_00, discountCents: 24_00, totalCents: 16_00, couponCode: 'HALF' });
    expect(better.items[0]).to.include({ unitPriceCents: 20_00 });
    expect(better.discountReason).to.equal('Half (HALF); not combinable with it: Flash Friday');

    await call('PUT', `/promotions/${coupon.id}`, { ...half, combinable: true });
    await call('PUT', `/promotions/${flash.id}`, { ...sale, combinable: true });
    const both = (await buy(3, 'HALF')).bought;
    expect(both).to.include({ subtotalCents: 20_00, discountCents: 10_00, totalCents: 10_00, couponCode: 'HALF' });
    expect(both.items[0]).to.include({ unitPriceCents: 10_00 });
  });

  it('ignore a coupon that would end free delivery and raise the total', async () => {
    const { promotions } = (await call('GET', '/promotions')).body;
    for (const { id } of promotions) expect((await call('DELETE', `/promotions/${id}`)).status).to.equal(204);
    const saved = await call('PUT', '/delivery', {
      deliveryEnabled: true,
      pickupEnabled: true,
      pickupAddress: '',
      requestLocation: false,
      notifyStatuses: [],
      areas: [{ name: 'Hodan', feeCents: 2_50, active: true }],
      freeDeliveryAboveCents: 39_00,
    });
    expect(saved.status, JSON.stringify(saved.body)).to.equal(200);
    const coupon = await created('/promotions', { name: 'Two', kind: 'coupon', code: 'TWO', amountOffCents: 2_00 });
    const { bought } = await buy(4, 'TWO', { fulfilment: 'delivery', area: 'Hodan' });
    expect(bought).to.include({ subtotalCents: 40_00, discountCents: 0, deliveryFeeCents: 0, totalCents: 40_00 });
    expect(bought).to.include({ discountReason: 'left out for free delivery: Two (TWO)' });
    expect(bought).to.not.have.property('couponCode');
    expect((await call('GET', `/promotions/${coupon.id}`)).body).to.include({ redemptions: 0 });
  });
});
