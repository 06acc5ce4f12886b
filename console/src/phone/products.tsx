/** The store's goods as the phone shows them: what they are called, cost, and look like. */
import { ownPicture } from '../ui/pictures.js';
import type { Item } from './wire.js';
import { useTongue } from './words/words.js';

export interface Price {
  readonly cents: number;
  readonly currency: string;
}

/** `12.00 USD`; undefined where it is no price. */
function priceIn(text: string | undefined): Price | undefined {
  const [, whole, part, currency] = /^(\d+)\.(\d{2}) ([A-Z]{3})$/.exec(text ?? '') ?? [];
  return currency === undefined ? undefined : { cents: Number(`${whole}${part}`), currency };
}

/** The provider writes a sale's window as from/to, in zones without a colon. */
function isOnSale({ sale_price, sale_price_effective_date: window = '' }: Item['data']): boolean {
  if (!sale_price) return false;
  const [from = Number.NaN, to = Number.NaN] = window
    .split('/')
    .map((time) => Date.parse(time.replace(/([+-]\d\d)(\d\d)$/, '$1:$2')));
  return !(Date.now() < from) && !(Date.now() >= to);
}

export const priceOf = ({ data }: Item): Price | undefined => priceIn(isOnSale(data) ? data.sale_price : data.price);
/** Before the sale that it has now; undefined without one. */
export const priceBefore = ({ data }: Item): Price | undefined => (isOnSale(data) ? priceIn(data.price) : undefined);

export const kindOf = ({ data }: Item): string => [data.size, data.color].filter(Boolean).join(', ');
export const titleOf = (item: Item | undefined, retailerId: string): string =>
  item === undefined ? retailerId : [item.data.title ?? retailerId, kindOf(item)].filter(Boolean).join(' · ');

/** Returns a colour for each text, to distinguish products without a picture. */
const hue = (text: string): number => [...text].reduce((all, one) => (all * 31 + one.codePointAt(0)!) % 360, 7);

/** `image`: address of the product's image, which is shown if the console has a copy. */
export function Tile({ name, image }: { name: string; image?: string | undefined }) {
  const src = ownPicture(image);
  if (src !== undefined) return <img class="tile" src={src} alt="" loading="lazy" />;
  return (
    <span class="tile" aria-hidden="true" style={{ '--hue': hue(name) }}>
      {[...name][0]?.toUpperCase()}
    </span>
  );
}

export function Amount({ price }: { price: Price | undefined }) {
  const { money } = useTongue();
  return price === undefined ? null : <bdi>{money(price.cents, price.currency)}</bdi>;
}
