import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { money } from '../../application/texts/localeFormats.js';
import { type Handover, priceCart, priceOrder, type SellableItem } from '../../domain/pricing/pricing.js';
import type { PricingPromotion, PromotionScope } from '../../domain/pricing/promotions.js';
import { projectFolder } from '../../harness/service/serviceProcess.js';

type Row = Readonly<Record<string, string>>;

/** Rows of the table of docs/concepts/pricing-examples.md that has this first column, by column. */
function tableOf(first: string): Row[] {
  const lines = readFileSync(join(projectFolder, 'docs/concepts/pricing-examples.md'), 'utf8').split('\n');
  const cells = (line: string): string[] =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  const start = lines.findIndex((line) => line.startsWith(`| ${first} |`));
  const columns = cells(lines[start] ?? '');
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  return lines.slice(start + 2, end).map((line) => {
    const values = cells(line);
    return Object.fromEntries(columns.map((column, index) => [column, values[index] ?? '']));
  });
}

const cents = (text: string): number => {
  const [, dollars, rest] = /^\$(\d+)\.(\d\d)$/.exec(text) ?? expect.fail(`no amount: ${text}`);
  return Number(dollars) * 100 + Number(rest);
};
const at = (time: string): number => Date.parse(`2026-03-01T${time}:00Z`);

function itemOf({ Item, Category, Price, Stock }: Row): SellableItem {
  const [, price, sale, until] = /^(\S+?)(?:, on sale for (\S+) until (\S+))?$/.exec(Price!)!;
  return {
    retailerId: Item!,
    productExternalId: Item!,
    name: Item!,
    categoryExternalId: Category!,
    priceCents: cents(price!),
    ...(sale === undefined ? {} : { salePriceCents: cents(sale), saleEndsAt: new Date(at(until!)).toISOString() }),
    ...(Stock === '' ? {} : { stock: Number(Stock) }),
    availability: 'in_stock',
    active: true,
  };
}

const items = new Map(tableOf('Item').map((row) => [row.Item!, itemOf(row)]));

function scopeOf(of: string): PromotionScope {
  if (of === 'everything') return { of: 'all' };
  return items.has(of)
    ? { of: 'products', productExternalIds: new Set([of]) }
    : { of: 'categories', categoryExternalIds: new Set([of]) };
}

function promotionOf(
  { Promotion, Kind, 'Takes off': off, Of, From, Combinable }: Row,
  index: number,
): PricingPromotion {
  const [, name, code] = /^(.+?)(?: \((.+)\))?$/.exec(Promotion!)!;
  return {
    promotionId: `promotion-${index}`,
    kind: Kind!.replace(' ', '_') as PricingPromotion['kind'],
    name: name!,
    ...(code === undefined ? {} : { code }),
    terms: off!.endsWith('%') ? { percentOff: Number.parseInt(off!, 10) } : { amountOffCents: cents(off!) },
    scope: scopeOf(Of!),
    active: true,
    ...(From === '' ? {} : { minSubtotalCents: cents(From!) }),
    combinable: Combinable === 'yes',
    eligibility: 'may',
  };
}

const promotions = new Map(tableOf('Promotion').map((row, index) => [row.Promotion!, promotionOf(row, index)]));

const split = (list: string): string[] => (list === '' ? [] : list.split(', '));

describe('the worked examples of docs/concepts/pricing-examples.md', () => {
  const rows = tableOf('Cart');

  it('exist', () => {
    expect(rows).to.have.lengthOf.at.least(20);
    expect(new Set(rows.flatMap(({ Open }) => split(Open!)))).to.deep.equal(new Set(promotions.keys()));
  });

  for (const row of rows)
    it(`${row.Cart}, ${row.Open || 'no promotion'}, ${row.Delivery}: ${row.Total}`, () => {
      const [carted, time = '12:00'] = row.Cart!.split(' at ');
      const now = at(time);
      const cart = split(carted!).map((text) => {
        const [quantity, retailerId] = text.split(' ');
        return { retailerId: retailerId!, quantity: Number(quantity) };
      });
      const open = split(row.Open!).map((name) => promotions.get(name)!);
      const { lines } = priceCart(cart, items, now, open);
      const handover: Handover =
        row.Delivery === 'pickup'
          ? { fulfilment: 'pickup' }
          : { fulfilment: 'delivery', areaFeeCents: 2_50, freeDeliveryAboveCents: 30_00 };
      const { totals, discountReason, lineDiscounts } = priceOrder(lines, handover, { promotions: open, now });
      expect({
        Subtotal: money('en', totals.subtotalCents),
        Discount: totals.discountCents === 0 ? '' : money('en', totals.discountCents),
        'Line discounts': (lineDiscounts ?? []).map((each) => money('en', each)).join(' + '),
        Reason: discountReason ?? '',
        Fee:
          totals.deliveryFeeCents > 0
            ? money('en', totals.deliveryFeeCents)
            : row.Delivery === 'pickup'
              ? 'none'
              : 'free',
        Total: money('en', totals.totalCents),
      }).to.deep.equal({
        Subtotal: row.Subtotal,
        Discount: row.Discount,
        'Line discounts': row['Line discounts'],
        Reason: row.Reason,
        Fee: row.Fee,
        Total: row.Total,
      });
    });
});
