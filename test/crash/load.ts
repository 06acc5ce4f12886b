/** The mixed day of a store at full speed, until the service has ended. */
import type { Ledger } from './ledger.js';
import type { Answer, Shop } from './shop.js';

export const PRODUCTS = 60;
export const COUPON = 'FEW';
/** Orders that may use the coupon. */
export const COUPON_USES = 25;
/** Users who sign in repeatedly. */
const USERS = 8;

/** Next number of each kind, across all lives of the service. */
export interface Next {
  cart: number;
  price: number;
  file: number;
  user: number;
}

const productOf = (n: number): string => `P${n % PRODUCTS}`;
const isDone = ({ status }: { readonly status: number }): boolean => status >= 200 && status < 300;

/** Resolves when every worker has lost its connection to the service. */
export async function loadUntilKilled(shop: Shop, ledger: Ledger, next: Next): Promise<void> {
  /** Records answers that no client should ever get. */
  const note = <A extends Answer>(answer: A): A => {
    if (answer.status >= 500 && answer.body?.code !== 'unavailable')
      ledger.broken.push(`${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  };
  const forever = async (turn: () => Promise<void>): Promise<void> => {
    for (;;) await turn();
  };
  const acknowledge = (): void => {
    ledger.changes.acknowledged += 1;
  };
  const product = async (): Promise<void> => {
    const price = next.price++;
    const id = productOf(price);
    ledger.sent.set(id, price);
    if (!isDone(note(await shop.product(id, price)))) return;
    ledger.acknowledged.set(id, price);
    acknowledge();
  };
  const cart = async (): Promise<void> => {
    const n = next.cart++;
    if ((await shop.cart(n, productOf(n))) !== 200) return;
    ledger.carts.add(n);
    acknowledge();
  };
  /** Goes through the newest orders: one is checked out, one that was is accepted, another is cancelled. */
  const manage = async (): Promise<void> => {
    const { body } = note(await shop.call('GET', '/commerce/orders?limit=40'));
    for (const { id, nextStatuses, customerPhone, checkedOutAt, number } of body.orders ?? []) {
      const customer = Number(customerPhone.slice(6)) - 1_000_000;
      if (checkedOutAt === undefined && number % 3 !== 0 && !ledger.checkedOut.has(id)) {
        if ((await shop.checkout(customer, id, COUPON)) !== 200) continue;
        ledger.checkedOut.add(id);
        acknowledge();
      } else if (nextStatuses.includes('preparing')) await move(id, 'preparing');
      else if (number % 6 === 0 && nextStatuses.includes('cancelled')) await move(id, 'cancelled');
    }
  };
  const move = async (id: string, status: string): Promise<void> => {
    if (!isDone(note(await shop.call('POST', `/commerce/orders/${id}/status`, { status })))) return;
    ledger.moved.set(id, status);
    acknowledge();
  };
  const upload = async (): Promise<void> => {
    const seed = `file-${next.file++}`;
    const answer = note(await shop.upload(seed));
    if (!isDone(answer)) return;
    ledger.files.set(answer.body.id, seed);
    acknowledge();
  };
  const signIn = async (): Promise<void> => {
    const token = shop.userToken(next.user++ % USERS);
    if (!isDone(note(await shop.signIn(token)))) return;
    ledger.usedTokens.add(token);
    acknowledge();
  };
  const workers = [product, product, product, cart, cart, cart, manage, upload, signIn];
  await Promise.allSettled(workers.map(forever));
}
