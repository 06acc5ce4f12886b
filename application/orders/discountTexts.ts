/** What customers read about discounts and coupons, in the store's language. */
import type { DiscountParts, FlashSaleName, OrderTotals } from '../../domain/orders/orderEvents.js';
import type { Locale } from '../../domain/stores/storeEvents.js';
import { money, short } from './texts.js';

/** Why a coupon that a customer entered cannot be used. */
export type CouponProblem =
  | { readonly why: 'unknown' | 'not_yet' | 'ended' | 'limit' | 'customer_limit' | 'not_listed' | 'out_of_scope' }
  | { readonly why: 'min_subtotal'; readonly minSubtotalCents: number };

interface DiscountTexts {
  readonly discount: (money: string) => string;
  readonly flashSaleOnly: (sales: string) => string;
  readonly insteadOfFlashSale: (sales: string) => string;
  readonly forFreeDelivery: string;
  readonly coupon: Readonly<Record<Exclude<CouponProblem['why'], 'min_subtotal'>, string>>;
  readonly fromSubtotal: (money: string) => string;
  readonly correctIt: string;
  readonly notUsed: (code: string) => string;
  readonly smaller: (money: string) => string;
}

const en: DiscountTexts = {
  discount: (money) => `Discount: −${money}`,
  flashSaleOnly: (sales) => `Our flash sale ${sales} is in these prices. No other discount adds to it.`,
  insteadOfFlashSale: (sales) =>
    `This is instead of our flash sale ${sales}: they cannot be used together, and you pay less this way.`,
  forFreeDelivery: 'More discount would end the free delivery: you pay less this way.',
  coupon: {
    unknown: 'We do not know this coupon code.',
    not_yet: 'This coupon cannot be used yet.',
    ended: 'This coupon has expired.',
    limit: 'This coupon has been used up.',
    customer_limit: 'You have already used this coupon.',
    not_listed: 'This coupon is for other customers.',
    out_of_scope: 'This coupon does not apply to what you ordered.',
  },
  fromSubtotal: (money) => `This coupon applies to orders from ${money}.`,
  correctIt: 'Please correct the code or leave it empty.',
  notUsed: (code) => `Your coupon ${code} was not used: you pay as little or less without it.`,
  smaller: (money) =>
    `A discount on your order has been used up since we told you the total. The new total is ${money}, without delivery.`,
};

const so: DiscountTexts = {
  discount: (money) => `Qiimo-dhimis: −${money}`,
  flashSaleOnly: (sales) => `Iibkayaga gaarka ah ${sales} wuu ku jiraa qiimayaashan. Qiimo-dhimis kale laguma daro.`,
  insteadOfFlashSale: (sales) =>
    `Tani waxay beddelaysaa iibkayaga gaarka ah ${sales}: isku mar lama wada isticmaali karo, sidanna lacag ka yar ayaad ku bixinaysaa.`,
  forFreeDelivery:
    'Qiimo-dhimis dheeraad ah waxay joojin lahayd geynta bilaashka ah: sidan lacag ka yar ayaad ku bixinaysaa.',
  coupon: {
    unknown: 'Koodhkan qiimo-dhimista ma naqaanno.',
    not_yet: 'Koodhkan weli lama isticmaali karo.',
    ended: 'Koodhkani wuu dhacay.',
    limit: 'Koodhkan inta la isticmaali karo way dhammaatay.',
    customer_limit: 'Hore ayaad u isticmaashay koodhkan.',
    not_listed: 'Koodhkani waa macaamiil kale.',
    out_of_scope: 'Koodhkani ma khuseeyo waxa aad dalbatay.',
  },
  fromSubtotal: (money) => `Koodhkani wuxuu khuseeyaa dalabyada ka bilaabma ${money}.`,
  correctIt: 'Fadlan sax koodhka ama banee.',
  notUsed: (code) => `Koodhkaaga ${code} lama isticmaalin: la'aantiis lacag la mid ah ama ka yar ayaad bixinaysaa.`,
  smaller: (money) =>
    `Qiimo-dhimis ku jirtay dalabkaaga ayaa dhammaatay intii aan wadarta kuu sheegnay ka dib. Wadarta cusub waa ${money}, geynta la'aanteed.`,
};

const ar: DiscountTexts = {
  discount: (money) => `الخصم: −${money}`,
  flashSaleOnly: (sales) => `عرضنا ${sales} محسوب في هذه الأسعار، ولا يُضاف إليه خصم آخر.`,
  insteadOfFlashSale: (sales) => `هذا بدلًا من عرضنا ${sales}: لا يمكن استخدامهما معًا، وهكذا تدفع أقل.`,
  forFreeDelivery: 'أي خصم إضافي يُلغي التوصيل المجاني: هكذا تدفع أقل.',
  coupon: {
    unknown: 'لا نعرف رمز القسيمة هذا.',
    not_yet: 'لا يمكن استخدام هذه القسيمة بعد.',
    ended: 'انتهت صلاحية هذه القسيمة.',
    limit: 'استُنفدت هذه القسيمة.',
    customer_limit: 'لقد استخدمت هذه القسيمة من قبل.',
    not_listed: 'هذه القسيمة مخصصة لعملاء آخرين.',
    out_of_scope: 'لا تسري هذه القسيمة على ما طلبته.',
  },
  fromSubtotal: (money) => `تسري هذه القسيمة على الطلبات ابتداءً من ${money}.`,
  correctIt: 'يرجى تصحيح الرمز أو تركه فارغًا.',
  notUsed: (code) => `لم تُستخدم القسيمة ${code}: تدفع من دونها المبلغ نفسه أو أقل.`,
  smaller: (money) => `استُنفد خصم على طلبك بعد أن أخبرناك بالمجموع. المجموع الجديد هو ${money} من دون التوصيل.`,
};

const TEXTS: Readonly<Record<Locale, DiscountTexts>> = { en, so, ar };

/** What an order costs, and which promotions made it so. */
export interface PricedInWords {
  readonly totals: OrderTotals;
  /** Absent: only one promotion could be used, or none. */
  readonly competition?: Pick<DiscountParts, 'flashSales' | 'passedOver'>;
}

/**
 * `Discount: −$1.75`, and what does not add to what applies, where a flash sale is one of both, or that less comes off for
 * the sake of free delivery; nothing when there is no discount and none is left out. Flash sales are named as the catalog's
 * offers; the names of number lists are the store's own affair.
 */
export function discountLines(locale: Locale, { totals, competition = {} }: PricedInWords): readonly string[] {
  const texts = TEXTS[locale];
  const { flashSales = [], passedOver = [] } = competition;
  const off = totals.discountCents > 0 ? [texts.discount(money(totals.discountCents))] : [];
  // A coupon that was entered is told of by itself.
  if (passedOver.some(({ why, kind }) => why === 'free_delivery' && kind !== 'coupon'))
    return [...off, texts.forFreeDelivery];
  const passedSales = passedOver.filter(({ kind }) => kind === 'flash_sale');
  if (off.length > 0)
    return [...off, ...(passedSales.length === 0 ? [] : [texts.insteadOfFlashSale(namesOf(passedSales))])];
  return flashSales.length > 0 && passedOver.length > passedSales.length
    ? [texts.flashSaleOnly(namesOf(flashSales))]
    : [];
}

const MOST_NAMED = 2;

const namesOf = (sales: readonly FlashSaleName[]): string =>
  [...sales.slice(0, MOST_NAMED).map(({ name }) => short(name, 40)), ...(sales.length > MOST_NAMED ? ['…'] : [])].join(
    ', ',
  );

/** Why the coupon was not taken, and what to do. */
export function couponRefused(locale: Locale, problem: CouponProblem): readonly string[] {
  const { coupon, fromSubtotal, correctIt } = TEXTS[locale];
  const why = problem.why === 'min_subtotal' ? fromSubtotal(money(problem.minSubtotalCents)) : coupon[problem.why];
  return [why, correctIt];
}

export const couponNotUsed = (locale: Locale, code: string): string => TEXTS[locale].notUsed(short(code, 32));

/** A discount that was promised is used up; the total without it. */
export const discountSmaller = (locale: Locale, totalCents: number): string => TEXTS[locale].smaller(money(totalCents));
