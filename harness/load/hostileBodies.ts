/** Bodies of upsertProducts that cost a server as much as their size allows. */

const MIB = 1024 * 1024;
const MOST = 8 * MIB;

const product = (n: number, variant: (v: number) => object): object => ({
  externalId: `flood${n}`,
  name: 'Cotton shirt',
  imageUrls: ['https://images.example.com/shirts/front.jpg'],
  priceCents: 1500,
  variants: Array.from({ length: 50 }, (_, v) => variant(v)),
});
const batch = (of: (n: number) => object): string =>
  JSON.stringify({ products: Array.from({ length: 500 }, (_, n) => of(n)) });
const filled = (part: (n: number) => string, most: number): string => {
  const parts: string[] = [];
  for (let size = 0, n = 0; size < most - 40; n += 1) {
    const text = part(n);
    parts.push(text);
    size += text.length + 1;
  }
  return parts.join(',');
};

/** Refused, all of them. By what is dear about them; none is more than 8 MiB. */
export const hostileBodies: Readonly<Record<string, () => string>> = {
  'four million levels': () => `{"products":${'['.repeat(MOST / 2 - 20)}${']'.repeat(MOST / 2 - 20)}}`,
  '2.7 million integers': () => `{"products":[${filled(() => '10', MOST)}]}`,
  '600,000 unknown properties': () => `{${filled((n) => `"p${n}":0`, MOST)}}`,
  // As many values as are looked at, each of them wrong.
  'problems everywhere': () => batch((n) => product(n, () => ({ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7 }))),
  'as many integers as are read': () => `{"products":[${'10,'.repeat(250_000)}10]}`,
  'of the size that is not looked at elsewhere': () => `{"products":[${filled(() => '1', 16_300)}]}`,
};

/** As many products and variants as a batch may have: nothing is wrong with it. */
export const largestGoodBody = (): string =>
  batch((n) =>
    product(n, (v) => ({ externalId: `flood${n}.${v}`, size: 'x'.repeat(90), color: 'y'.repeat(90), stock: 3 })),
  );
