/** A product as customers see it behind the link in the channel's catalog. Everything a store wrote is escaped. */
import { money } from '../../application/orders/texts.js';
import type { Locale } from '../../domain/stores/storeEvents.js';
import { assets } from './assets.js';
import { escaped } from './layout.js';

/** What one of the product's items costs now. Money in cents. */
export interface ShownItem {
  readonly size?: string;
  readonly color?: string;
  readonly priceCents: number;
  /** The store's price when `priceCents` is a sale's. */
  readonly usualCents?: number;
  readonly available: boolean;
}

export interface ShownProduct {
  readonly name: string;
  readonly description: string;
  /** https only. */
  readonly imageUrls: readonly string[];
  readonly storeName: string;
  readonly locale: Locale;
  /** The whole address of this page. */
  readonly url: string;
  /** One at least; each with its size and colour when the product has variants. */
  readonly items: readonly ShownItem[];
}

interface Texts {
  readonly available: string;
  readonly soldOut: string;
  readonly from: (money: string) => string;
  readonly size: string;
  readonly color: string;
  readonly price: string;
  readonly instead: string;
  readonly order: string;
}

const TEXTS: Readonly<Record<Locale, Texts>> = {
  en: {
    available: 'Available',
    soldOut: 'Out of stock',
    from: (price) => `from ${price}`,
    size: 'Size',
    color: 'Colour',
    price: 'Price',
    instead: 'instead of',
    order: 'To order, put it into your cart in the chat with the store.',
  },
  so: {
    available: 'Waa la heli karaa',
    soldOut: 'Wuu dhammaaday',
    from: (price) => `laga bilaabo ${price}`,
    size: 'Cabbir',
    color: 'Midab',
    price: 'Qiimo',
    instead: 'halkii ay ka ahayd',
    order: 'Si aad u dalbato, ku dar gaarigaaga wada hadalka dukaanka.',
  },
  ar: {
    available: 'متوفر',
    soldOut: 'نفد من المخزون',
    from: (price) => `ابتداءً من ${price}`,
    size: 'المقاس',
    color: 'اللون',
    price: 'السعر',
    instead: 'بدلًا من',
    order: 'للطلب، أضفه إلى سلتك في محادثة المتجر.',
  },
};

/** The style's address begins at the page's own, which a proxy may serve below a path. */
function frame(locale: Locale, title: string, head: string, body: string): string {
  return `<!doctype html>
<html lang="${locale}"${locale === 'ar' ? ' dir="rtl"' : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
${head}<link rel="stylesheet" href="../..${assets.path}/product.css">
</head>
<body>
${body}
</body>
</html>
`;
}

/** What previews of the link in a chat show. */
function previewTags({ name, description, imageUrls, storeName, url }: ShownProduct): string {
  const tags: readonly (readonly [string, string | undefined])[] = [
    ['og:type', 'product'],
    ['og:title', name],
    ['og:site_name', storeName],
    ['og:url', url],
    ['og:image', imageUrls[0]],
    ['og:description', description.slice(0, 300) || undefined],
  ];
  return tags
    .filter(([, content]) => content !== undefined)
    .map(([property, content]) => `<meta property="${property}" content="${escaped(content!)}">\n`)
    .join('');
}

/** `<bdi>` keeps an amount whole in text that runs from right to left. */
function priceTag({ priceCents, usualCents }: ShownItem, texts: Texts, from: boolean): string {
  const now = `<bdi>${money(priceCents)}</bdi>`;
  const usual =
    usualCents === undefined
      ? ''
      : ` <s><span class="unseen">${texts.instead} </span><bdi>${money(usualCents)}</bdi></s>`;
  return `<span class="${usual === '' ? 'price' : 'price sale'}">${from ? texts.from(now) : now}</span>${usual}`;
}

const stockTag = (available: boolean, texts: Texts): string =>
  `<span class="${available ? 'stock' : 'stock out'}">${available ? texts.available : texts.soldOut}</span>`;

/** The columns that any variant fills; none for a product without variants. */
function variantTable(items: readonly ShownItem[], texts: Texts): string {
  const sizes = items.some(({ size }) => size !== undefined);
  const colors = items.some(({ color }) => color !== undefined);
  if (!sizes && !colors) return '';
  const head = [...(sizes ? [texts.size] : []), ...(colors ? [texts.color] : []), texts.price, ''];
  const rows = items.map((item) => {
    const own = [...(sizes ? [item.size ?? ''] : []), ...(colors ? [item.color ?? ''] : [])];
    const cells = own.map((text) => `<td dir="auto">${escaped(text)}</td>`).join('');
    return `<tr>${cells}<td>${priceTag(item, texts, false)}</td><td>${stockTag(item.available, texts)}</td></tr>`;
  });
  const headings = head.map((text) => `<th scope="col">${text}</th>`).join('');
  return `<table><thead><tr>${headings}</tr></thead><tbody>${rows.join('\n')}</tbody></table>`;
}

function gallery(imageUrls: readonly string[], name: string): string {
  const [main = '', ...others] = imageUrls.map(escaped);
  const small = others.map((url) => `<img src="${url}" alt="" loading="lazy">`).join('');
  return `<div class="images"><img class="main" src="${main}" alt="${escaped(name)}">${small === '' ? '' : `<div class="others">${small}</div>`}</div>`;
}

/** The page of a product that is for sale, as HTML. */
export function productPage(product: ShownProduct): string {
  const { name, description, imageUrls, storeName, locale, items } = product;
  const texts = TEXTS[locale];
  const available = items.some((item) => item.available);
  const offered = items.filter((item) => item.available || !available);
  const prices = offered.map(({ priceCents }) => priceCents);
  const cheapest = offered.find(({ priceCents }) => priceCents === Math.min(...prices))!;
  const varied = new Set(prices).size > 1;
  return frame(
    locale,
    `${name} · ${storeName}`,
    previewTags(product),
    `<main>
${gallery(imageUrls, name)}
<div class="about">
<p class="store" dir="auto">${escaped(storeName)}</p>
<h1 dir="auto">${escaped(name)}</h1>
<p class="offer">${priceTag(cheapest, texts, varied)} ${stockTag(available, texts)}</p>
${description === '' ? '' : `<p class="description" dir="auto">${escaped(description)}</p>`}
${variantTable(items, texts)}
${available ? `<p class="hint">${texts.order}</p>` : ''}
</div>
</main>`,
  );
}

/** The page for a link that leads to nothing, or to nothing any more. */
export const productGonePage = (): string =>
  frame(
    'en',
    'Not available',
    '<meta name="robots" content="noindex">\n',
    `<main class="gone">
<h1>This product is not available</h1>
<p>The link may be wrong, or the store no longer sells it. In the chat with the store you find what it offers now.</p>
</main>`,
  );
