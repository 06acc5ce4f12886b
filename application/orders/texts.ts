/** What customers read, in the store's language. Plain words, no markup; money as `$12.50`. */
import type { LeftOutItem, OrderStatus } from '../../domain/orders/orderEvents.js';
import type { Locale } from '../../domain/stores/storeEvents.js';
import { lengthOf } from '../../domain/templates/variables.js';

/** What was wrong with the answers to the checkout form. */
export type WrongAnswer =
  | 'fulfilment'
  | 'noDelivery'
  | 'noPickup'
  | 'area'
  | 'name'
  | 'phone'
  | 'address'
  /** Neither a text nor a number. */
  | 'addressUnread'
  | 'couponUnread';

interface Texts {
  /** On the button that opens the form; the channel takes 20 characters. */
  readonly cta: string;
  readonly order: (number: number) => string;
  readonly total: (money: string) => string;
  readonly moreLines: (count: number) => string;
  readonly leftOut: string;
  readonly why: Readonly<Record<string, string>>;
  readonly overStock: (stock: number) => string;
  readonly checkOutBelow: string;
  /** What an area costs, in the form; the channel takes 300 characters with the total. */
  readonly fee: (money: string) => string;
  readonly freeDelivery: string;
  readonly freeFrom: (money: string) => string;
  readonly feesApart: string;
  /** The store offers neither delivery nor pickup. */
  readonly noCheckout: string;
  readonly nothingLeft: string;
  readonly cartUnreadable: string;
  readonly pricedAnew: string;
  readonly closed: string;
  readonly confirmed: (number: number) => string;
  readonly deliveryTo: (area: string, fee: string) => string;
  readonly pickupAt: (address: string) => string;
  readonly shareLocation: string;
  readonly alreadyCheckedOut: (number: number) => string;
  readonly noLongerOpen: (number: number) => string;
  readonly tryAgain: string;
  readonly wrong: Readonly<Record<WrongAnswer, string>>;
  readonly status: Readonly<Record<OrderStatus, (number: number) => string>>;
}

const en: Texts = {
  cta: 'Check out',
  order: (number) => `Your order no. ${number}`,
  total: (money) => `Total: ${money}`,
  moreLines: (count) => `… and ${count} more`,
  leftOut: 'Not in the order:',
  why: {
    unknown: 'not in our catalog',
    inactive: 'not for sale at present',
    out_of_stock: 'out of stock',
    no_quantity: 'no quantity',
    too_many: 'at most 99 in one order',
    too_many_items: 'an order holds at most 100 different items',
  },
  overStock: (stock) => `only ${stock} left`,
  checkOutBelow: 'Tap the button to check out.',
  fee: (money) => `Delivery: ${money}`,
  freeDelivery: 'Delivery: free',
  freeFrom: (money) => `free from ${money}`,
  feesApart: 'Delivery is not included: the form shows what it costs in each area.',
  noCheckout: 'Sorry, checking out is not possible at present. Please write to us.',
  nothingLeft: 'Sorry, nothing in your cart can be ordered:',
  cartUnreadable: 'Sorry, we could not read your cart. Please send it again, or write to us what you would like.',
  pricedAnew: 'It has been a while since you sent this cart. This is what it comes to today:',
  closed: 'Sorry, this store takes no orders at present.',
  confirmed: (number) => `Thank you! We have received your order no. ${number}.`,
  deliveryTo: (area, fee) => `Delivery to ${area}: ${fee}`,
  pickupAt: (address) => `Pickup: ${address}`,
  shareLocation: 'Please share the location where we shall deliver.',
  alreadyCheckedOut: (number) => `You have already checked out order no. ${number}; nothing was changed.`,
  noLongerOpen: (number) => `Order no. ${number} can no longer be checked out. Please send a new cart.`,
  tryAgain: 'Please fill in the form again.',
  wrong: {
    fulfilment: 'Please choose delivery or pickup.',
    noDelivery: 'We do not deliver at present; please choose pickup.',
    noPickup: 'Pickup is not possible at present; please choose delivery.',
    area: 'Please choose one of our delivery areas.',
    name: 'Please tell us your name (up to 120 characters).',
    phone: 'Please give the contact number with its country code.',
    address: 'Please shorten the address (up to 500 characters).',
    addressUnread: 'Please write the address as text.',
    couponUnread: 'Please write the coupon code as text.',
  },
  status: {
    new: (number) => `We have received your order no. ${number}.`,
    awaiting_payment: (number) => `Your order no. ${number} is waiting for your payment.`,
    paid: (number) => `We have received your payment for order no. ${number}. Thank you!`,
    preparing: (number) => `We are preparing your order no. ${number}.`,
    out_for_delivery: (number) => `Your order no. ${number} is on its way to you.`,
    delivered: (number) => `Your order no. ${number} has been handed over. Thank you!`,
    cancelled: (number) => `Your order no. ${number} has been cancelled.`,
    refunded: (number) => `Your payment for order no. ${number} has been refunded.`,
  },
};

const so: Texts = {
  cta: 'Dhammaystir',
  order: (number) => `Dalabkaaga lambarka ${number}`,
  total: (money) => `Wadarta: ${money}`,
  moreLines: (count) => `… iyo ${count} kale`,
  leftOut: 'Kuma jiraan dalabka:',
  why: {
    unknown: 'kuma jiro liiskeenna',
    inactive: 'hadda lama iibiyo',
    out_of_stock: 'wuu dhammaaday',
    no_quantity: 'tiro ma leh',
    too_many: 'ugu badnaan 99 hal dalab',
    too_many_items: 'hal dalab wuxuu qaadaa ugu badnaan 100 shay oo kala duwan',
  },
  overStock: (stock) => `waxaa haray ${stock} oo keliya`,
  checkOutBelow: 'Taabo badhanka si aad u dhammaystirto dalabka.',
  fee: (money) => `Geynta: ${money}`,
  freeDelivery: 'Geynta: bilaash',
  freeFrom: (money) => `bilaash laga bilaabo ${money}`,
  feesApart: 'Geynta kuma jirto: foomka ayaa muujinaya qiimaha goob kasta.',
  noCheckout: 'Waan ka xunnahay, hadda dalabka lama dhammaystiri karo. Fadlan noo soo qor.',
  nothingLeft: 'Waan ka xunnahay, waxba kama dalban kartid gaarigaaga:',
  cartUnreadable:
    'Waan ka xunnahay, gaarigaaga ma akhrin karin. Fadlan mar kale soo dir, ama noo soo qor waxaad rabto.',
  pricedAnew: 'Muddo ayaa ka soo wareegtay markii aad gaarigan soo dirtay. Maanta waa sidan:',
  closed: 'Waan ka xunnahay, dukaanku hadda dalab ma qaadayo.',
  confirmed: (number) => `Mahadsanid! Waan helnay dalabkaaga lambarka ${number}.`,
  deliveryTo: (area, fee) => `Geynta ${area}: ${fee}`,
  pickupAt: (address) => `Ka qaado: ${address}`,
  shareLocation: 'Fadlan noo soo dir goobta aan kuugu keeni doonno.',
  alreadyCheckedOut: (number) => `Hore ayaad u dhammaystirtay dalabka lambarka ${number}; waxba lama beddelin.`,
  noLongerOpen: (number) => `Dalabka lambarka ${number} lama dhammaystiri karo. Fadlan soo dir gaari cusub.`,
  tryAgain: 'Fadlan foomka mar kale buuxi.',
  wrong: {
    fulfilment: 'Fadlan dooro geyn ama inaad ka qaadato.',
    noDelivery: 'Hadda wax ma geyno; fadlan dooro inaad ka qaadato.',
    noPickup: 'Hadda lagama qaadan karo dukaanka; fadlan dooro geyn.',
    area: 'Fadlan dooro mid ka mid ah goobaha aan wax geyno.',
    name: 'Fadlan noo sheeg magacaaga (ugu badnaan 120 xaraf).',
    phone: 'Fadlan qor lambarka xiriirka oo leh koodhka dalka.',
    address: 'Fadlan soo gaabi ciwaanka (ugu badnaan 500 oo xaraf).',
    addressUnread: 'Fadlan ciwaanka u qor qoraal ahaan.',
    couponUnread: 'Fadlan koodhka qiimo-dhimista u qor qoraal ahaan.',
  },
  status: {
    new: (number) => `Waan helnay dalabkaaga lambarka ${number}.`,
    awaiting_payment: (number) => `Dalabkaaga lambarka ${number} wuxuu sugayaa lacag-bixintaada.`,
    paid: (number) => `Waan helnay lacagta dalabka lambarka ${number}. Mahadsanid!`,
    preparing: (number) => `Waxaan diyaarinaynaa dalabkaaga lambarka ${number}.`,
    out_for_delivery: (number) => `Dalabkaaga lambarka ${number} wuu kuu soo socdaa.`,
    delivered: (number) => `Dalabkaaga lambarka ${number} waa la gaarsiiyay. Mahadsanid!`,
    cancelled: (number) => `Dalabkaaga lambarka ${number} waa la joojiyay.`,
    refunded: (number) => `Lacagtii dalabka lambarka ${number} waa laguu soo celiyay.`,
  },
};

const ar: Texts = {
  cta: 'إتمام الطلب',
  order: (number) => `طلبك رقم ${number}`,
  total: (money) => `المجموع: ${money}`,
  moreLines: (count) => `… و${count} غيرها`,
  leftOut: 'غير مشمول في الطلب:',
  why: {
    unknown: 'غير موجود في قائمتنا',
    inactive: 'غير معروض للبيع حاليًا',
    out_of_stock: 'نفد من المخزون',
    no_quantity: 'بدون كمية',
    too_many: 'الحد الأقصى 99 في الطلب الواحد',
    too_many_items: 'الطلب الواحد يضم 100 صنف مختلف كحد أقصى',
  },
  overStock: (stock) => `المتبقي ${stock} فقط`,
  checkOutBelow: 'اضغط على الزر لإتمام الطلب.',
  fee: (money) => `التوصيل: ${money}`,
  freeDelivery: 'التوصيل: مجاني',
  freeFrom: (money) => `مجاني ابتداءً من ${money}`,
  feesApart: 'التوصيل غير مشمول: يبيّن النموذج تكلفته لكل منطقة.',
  noCheckout: 'عذرًا، لا يمكن إتمام الطلب حاليًا. يرجى مراسلتنا.',
  nothingLeft: 'عذرًا، لا يمكن طلب أي شيء من سلتك:',
  cartUnreadable: 'عذرًا، لم نتمكن من قراءة سلتك. يرجى إرسالها مرة أخرى، أو كتابة ما تريده لنا.',
  pricedAnew: 'مضى بعض الوقت منذ أن أرسلت هذه السلة. هذا ما تبلغه اليوم:',
  closed: 'عذرًا، هذا المتجر لا يستقبل الطلبات حاليًا.',
  confirmed: (number) => `شكرًا لك! استلمنا طلبك رقم ${number}.`,
  deliveryTo: (area, fee) => `التوصيل إلى ${area}: ${fee}`,
  pickupAt: (address) => `الاستلام من: ${address}`,
  shareLocation: 'يرجى مشاركة الموقع الذي نوصل إليه.',
  alreadyCheckedOut: (number) => `لقد أتممت الطلب رقم ${number} من قبل؛ لم يتغير شيء.`,
  noLongerOpen: (number) => `لم يعد بالإمكان إتمام الطلب رقم ${number}. يرجى إرسال سلة جديدة.`,
  tryAgain: 'يرجى تعبئة النموذج مرة أخرى.',
  wrong: {
    fulfilment: 'يرجى اختيار التوصيل أو الاستلام.',
    noDelivery: 'لا نوصل حاليًا؛ يرجى اختيار الاستلام.',
    noPickup: 'الاستلام غير متاح حاليًا؛ يرجى اختيار التوصيل.',
    area: 'يرجى اختيار إحدى مناطق التوصيل لدينا.',
    name: 'يرجى كتابة اسمك (حتى 120 حرفًا).',
    phone: 'يرجى كتابة رقم التواصل مع رمز الدولة.',
    address: 'يرجى اختصار العنوان (حتى 500 حرف).',
    addressUnread: 'يرجى كتابة العنوان نصًا.',
    couponUnread: 'يرجى كتابة رمز القسيمة نصًا.',
  },
  status: {
    new: (number) => `استلمنا طلبك رقم ${number}.`,
    awaiting_payment: (number) => `طلبك رقم ${number} في انتظار الدفع.`,
    paid: (number) => `استلمنا دفعتك للطلب رقم ${number}. شكرًا لك!`,
    preparing: (number) => `نقوم بتجهيز طلبك رقم ${number}.`,
    out_for_delivery: (number) => `طلبك رقم ${number} في الطريق إليك.`,
    delivered: (number) => `تم تسليم طلبك رقم ${number}. شكرًا لك!`,
    cancelled: (number) => `تم إلغاء طلبك رقم ${number}.`,
    refunded: (number) => `تمت إعادة دفعتك للطلب رقم ${number}.`,
  },
};

const TEXTS: Readonly<Record<Locale, Texts>> = { en, so, ar };

export const textsIn = (locale: Locale): Texts => TEXTS[locale];

/** Whole cents as customers read them. */
export const money = (cents: number): string => `$${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

/** Why one item is not in the order: `Linen shirt: out of stock`. */
export function whyLeftOut(locale: Locale, { name, retailerId, why, stock }: LeftOutItem): string {
  const texts = TEXTS[locale];
  const reason = why === 'over_stock' && stock !== undefined ? texts.overStock(stock) : texts.why[why];
  return `${short(name ?? retailerId, 30)}: ${reason ?? texts.why.unknown}`;
}

/** `length`: in characters. */
export const short = (text: string, length: number): string =>
  lengthOf(text) <= length ? text : `${[...text].slice(0, length - 1).join('')}…`;
