/** Amounts, numbers and names in the way of each language, alone and in the messages that customers get. */
import { expect } from 'chai';
import { confirmation, formAgain, summary, summaryAgain } from '../../application/orders/customerTexts.js';
import { money } from '../../application/texts/localeFormats.js';
import { text } from '../../application/texts/texts.js';
import { LANGUAGES } from '../../domain/channel/recordings.js';
import { endsOf, entriesOf, type Forms, textFile } from '../support/samples/textFiles.js';
import { offeredForm } from '../support/stages/offeredForm.js';

/** Marks of direction, and spaces that do not break. */
const plain = (text: string): string => text.replace(/[\u200e\u200f\u061c\u2066-\u2069]/g, '').replace(/\u00a0/g, ' ');
const isolated = (text: string): string => `\u2068${text}\u2069`;

const line = { productExternalId: 'P', retailerId: 'R', name: 'Linen shirt', quantity: 2, unitPriceCents: 15_00 };
const totals = { subtotalCents: 30_00, discountCents: 1_75, deliveryFeeCents: 0, totalCents: 28_25 };
const order = { number: 17, lines: [{ ...line, size: 'M', color: 'blue' }], totals };
const choices = { deliveryEnabled: false, pickupEnabled: true };
const form = offeredForm({ totals });

describe('amounts', () => {
  it('are written in the style of each language, with the digits that all three share', () => {
    expect([5, 12_50, -1_75, 1_234_50].map((cents) => money('en', cents))).to.deep.equal([
      '$0.05',
      '$12.50',
      '−$1.75',
      '$1234.50',
    ]);
    expect([12_50, 1_234_50].map((cents) => money('so', cents))).to.deep.equal(['$12.50', '$1,234.50']);
    expect([12_50, -1_75, 1_234_50].map((cents) => plain(money('ar', cents)))).to.deep.equal([
      '12.50 US$',
      '−1.75 US$',
      '1,234.50 US$',
    ]);
  });

  it('stay in order within Arabic: the symbol is isolated from the number', () => {
    expect(money('ar', 12_50)).to.match(/^\u200f12\.50\u00a0\u2068US\$\u2069$/);
    expect(text('ar', 'orders.total', { total: money('ar', 12_50) })).to.equal(
      `المجموع: ${isolated(money('ar', 12_50))}`,
    );
  });
});

describe('texts', () => {
  it('use the plural form of the number', () => {
    const left = (count: number) => text('ar', 'orders.whyLeftOut.over_stock', { count });
    expect([0, 1, 2, 3, 11, 100].map(left)).to.deep.equal([
      'لم يتبقَّ شيء',
      'المتبقي واحد فقط',
      'المتبقي اثنان فقط',
      'المتبقي 3 فقط',
      'المتبقي 11 فقط',
      'المتبقي 100 فقط',
    ]);
    expect(text('en', 'orders.moreLines', { count: 1 })).to.equal('… and 1 more');
    expect(text('so', 'orders.moreLines', { count: 12 })).to.equal('… iyo 12 kale');
  });

  it('insert a name unchanged, whatever it contains', () => {
    const address = '$& {number} $1';
    expect(text('en', 'orders.pickupAt', { address })).to.equal(`Pickup: ${address}`);
    expect(text('so', 'orders.pickupAt', { address })).to.equal(`Ka qaado: ${address}`);
  });

  it('isolate names, codes and phone numbers from the Arabic around them, and write order numbers without separators', () => {
    const message = { total: money('ar', 11_00), wallet: 'EVC Plus', phone: '+252615550101' };
    expect(text('ar', 'payments.confirm', message)).to.equal(
      `يرجى تأكيد دفع ${isolated(message.total)} عبر ${isolated('EVC Plus')} على الهاتف ${isolated('+252615550101')}.`,
    );
    expect(text('ar', 'orders.heading', { number: 12_345 })).to.equal('طلبك رقم 12345');
    expect(text('en', 'orders.heading', { number: 12_345 })).to.equal('Your order no. 12345');
  });

  it('keep their order around an Arabic name or a direction control, in every language', () => {
    const textOf = (address: string) => LANGUAGES.map((locale) => text(locale, 'orders.pickupAt', { address }));
    const [shirt, price] = ['قميص كتان', money('en', 15_00)];
    expect(text('en', 'orders.line', { quantity: 2, name: shirt, price })).to.equal(`2 × ${isolated(shirt)}: $15.00`);
    expect(text('so', 'orders.line', { quantity: 2, name: shirt, price })).to.include(isolated(shirt));
    for (const name of ['חנות', 'ދޫކާން', 'a\u200fb', '\u202eabc'])
      for (const sentence of textOf(name)) expect(sentence).to.include(isolated(name));
    for (const sentence of textOf('a\u2069b\u2067c')) expect(sentence).to.include(isolated('ab\u2067c\u2069'));
    expect(textOf('Café 7').slice(0, 2)).to.deep.equal(['Pickup: Café 7', 'Ka qaado: Café 7']);
  });

  it('run from right to left in Arabic, also if a line begins with a number or a Latin name', () => {
    for (const [key, { ar }] of entriesOf(textFile('ar')))
      for (const form of typeof ar === 'string' ? [ar] : Object.values(ar as Exclude<Forms, string>))
        expect(form.replace(/\{\w+\}/g, ''), key).to.match(/^[^\p{L}\u200e\u200f]*[\u200f\p{Script=Arabic}]/u);
  });

  it('are requested by their keys and placeholders: others do not compile', () => {
    const wrongly = (): void => {
      // @ts-expect-error There is no such text.
      text('en', 'orders.totals', { total: '$1.00' });
      // @ts-expect-error The placeholder is missing.
      text('en', 'orders.total');
      // @ts-expect-error It is called otherwise.
      text('en', 'orders.total', { sum: '$1.00' });
      // @ts-expect-error What decides the form is a number.
      text('en', 'orders.moreLines', { count: '2' });
      // @ts-expect-error The text has none.
      text('en', 'orders.closed', { number: 1 });
    };
    expect(wrongly, 'the build fails where one of them compiles').to.be.a('function');
  });
});

describe('messages composed of several texts', () => {
  it('list ordered items in the style of each language', () => {
    const textOf = (locale: (typeof LANGUAGES)[number]) =>
      summary(locale, order, { form, choices }, { leftOut: [] }).text.split('\n').slice(1, 4);
    expect(textOf('en')).to.deep.equal(['2 × Linen shirt (M, blue): $30.00', 'Discount: −$1.75', 'Total: $28.25']);
    expect(textOf('so')).to.deep.equal([
      '2 × Linen shirt (M, blue): $30.00',
      'Qiimo-dhimis: −$1.75',
      'Wadarta: $28.25',
    ]);
    expect(textOf('ar').map(plain)).to.deep.equal([
      '2 × Linen shirt (M، blue): 30.00 US$',
      'الخصم: −1.75 US$',
      'المجموع: 28.25 US$',
    ]);
    expect(textOf('ar')[0]).to.match(/^\u200f2 × \u2068Linen shirt\u2069/);
  });

  it('describe unknown reasons', () => {
    const leftOut = [{ retailerId: 'SKU-1', why: 'a_reason_of_tomorrow' }];
    expect(summary('en', order, { form, choices }, { leftOut }).text).to.include('SKU-1: not in our catalog');
  });

  for (const [locale, letter] of LANGUAGES.flatMap((one) => [[one, 'W'] as const, [one, 'س'] as const]))
    it(`fit next to a button with all possible errors and the longest names, in ${locale} with ${letter}`, () => {
      const most = { subtotalCents: 9e14, discountCents: 9e14, deliveryFeeCents: 9e14, totalCents: 9e14 };
      const sale = { kind: 'flash_sale' as const, promotionId: 'p', name: letter.repeat(60) };
      const passed = { ...sale, why: 'not_combinable' as const };
      const competition = { flashSales: [sale, sale, sale], passedOver: [passed, passed, passed] };
      const long = { ...line, name: letter.repeat(100), size: letter.repeat(50), color: letter.repeat(50) };
      const priced = { ...order, lines: Array.from({ length: 9 }, () => long), totals: most, competition };
      const leftOut = Array.from({ length: 9 }, () => ({ retailerId: letter.repeat(90), why: 'too_many_items' }));
      const wrong = [
        ...endsOf('orders.wrong.').map((one) => text(locale, `orders.wrong.${one}`)),
        ...endsOf('payments.wrong.').map((one) => text(locale, `payments.wrong.${one}`)),
      ];
      const confirmed = {
        ...{ number: 999_999_999, totals: most, competition, deliveryArea: letter.repeat(30), pickupAddress: '' },
        ...{ requestLocation: true, unusedCouponCode: letter.repeat(32) },
        payment: text(locale, 'payments.payInCash', { total: money(locale, 9e14) }),
      };
      const everything = [
        summaryAgain(locale, { ...priced, leftOut, placedAt: 0, pricedAt: 0 }, form, choices),
        summaryAgain(locale, { ...priced, leftOut, placedAt: 0, pricedAt: 1 }, form, choices),
        formAgain(locale, priced.number, { form, choices }, wrong),
        confirmation(locale, confirmed),
      ];
      for (const { text } of everything) expect([...text].length, text).to.be.within(1, 1024);
    });
});
