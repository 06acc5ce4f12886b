import { profileFromNow } from '../../harness/service/serviceProcess.js';
import { customerOf, signedCart, signedForm } from '../../harness/service/signedCart.js';
import { enough } from '../support/effort.js';
import { steadily } from '../support/load.js';
import { atLeast, type Figure, unlessLate } from '../support/report.js';
import { mustBe, onStage, type Stage, until, within } from '../support/stage.js';
import { cartOf, deliver, newestNumber, openShop } from './orders.js';

const OFFERED = 500;
const SECONDS = 20;
/** Share of the offered load: the last carts arrive as the time ends. */
const MOST_OF = 0.98;
const CARTS_PER_SECOND = 250;
const PATIENCE_S = 120;
const LOOK_MS = 50;

interface Row {
  readonly id: string;
  readonly customerPhone: string;
}

/** All orders of a list, page by page. */
async function orders(stage: Stage, query: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let next = ''; ; ) {
    const answer = await stage.call('GET', `${stage.commerce}/orders?limit=200${query}${next}`);
    mustBe('listOrders', answer.status === 200, answer.text.slice(0, 300));
    const page = JSON.parse(answer.text) as { orders: Row[]; next?: string };
    rows.push(...page.orders);
    if (page.next === undefined) return rows;
    next = `&cursor=${encodeURIComponent(page.next)}`;
  }
}

/**
 * The checkout form returns for 10,000 orders at a steady 500 a second: promotions, delivery and total are computed once more, the customer
 * gets a confirmation. The figure is checkouts over the time until the last of them can be read.
 */
export const checkouts = (): Promise<Figure[]> =>
  onStage(async (stage) => {
    await openShop(stage);
    const seconds = enough(SECONDS);
    const total = OFFERED * seconds;
    await steadily(CARTS_PER_SECOND, total / CARTS_PER_SECOND, (n) =>
      deliver(stage, signedCart(stage.demo, n, cartOf(n))),
    );
    await until('all orders placed', PATIENCE_S, async () => (await newestNumber(stage)) >= total, LOOK_MS);
    const ids = new Map((await orders(stage, '')).map(({ id, customerPhone }) => [customerPhone, id]));
    profileFromNow(stage.service.pid);
    const answers = { fulfilment: 'pickup', name: 'Hodan Ali' };
    const started = performance.now();
    await steadily(OFFERED, seconds, (n) =>
      deliver(stage, signedForm(stage.demo, n, ids.get(`+${customerOf(n)}`)!, answers)),
    );
    let done = 0;
    const isDone = async (): Promise<boolean> => {
      done = (await orders(stage, '&fulfilment=pickup')).length;
      return done >= total;
    };
    const isInTime = await within(PATIENCE_S, isDone, LOOK_MS);
    const perSecond = done / ((performance.now() - started) / 1000);
    const name = `checkouts, offered ${OFFERED}/s for ${seconds} s`;
    return [unlessLate(atLeast(name, perSecond, 'checkouts/s', OFFERED * MOST_OF), isInTime)];
  });
