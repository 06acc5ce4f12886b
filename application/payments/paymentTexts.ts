/** What customers read about payments, in the store's language. Plain words, no markup; money as `$12.50`. */
import type { PaymentFailureReason } from '../../domain/orders/orderEvents.js';
import type { Locale } from '../../domain/stores/storeEvents.js';

/** What was wrong with the choice of a wallet. */
export type WrongWallet = 'wallet' | 'walletOrCash' | 'number';

export interface PaymentTexts {
  /** On the button that opens the form; the channel takes 20 characters. */
  readonly cta: string;
  readonly confirm: (money: string, wallet: string, phone: string) => string;
  readonly failed: (number: number) => string;
  readonly why: Readonly<Record<PaymentFailureReason, string>>;
  readonly again: string;
  /** As `again`, while the store takes no orders. */
  readonly whenOpen: string;
  /** After too many tries, or when the store takes no payments any more. */
  readonly askUs: string;
  readonly wrong: Readonly<Record<WrongWallet, string>>;
  readonly underWay: (number: number) => string;
  readonly notOpen: (number: number) => string;
  /** The store takes no orders at present, and no money for them. */
  readonly closed: string;
  /** In the form's list of wallets, whose titles the channel takes up to 30 characters of. */
  readonly cashTitle: string;
  readonly payInCash: (money: string) => string;
  /** The store went on without the payment that was asked for. */
  readonly withdrawn: (number: number) => string;
}

const en: PaymentTexts = {
  cta: 'Pay',
  confirm: (money, wallet, phone) => `Please confirm the payment of ${money} with ${wallet} on the phone ${phone}.`,
  failed: (number) => `The payment for your order no. ${number} did not work.`,
  why: {
    cancelled: 'You cancelled it.',
    no_answer: 'It was not confirmed in time.',
    insufficient_funds: 'There is not enough money in the wallet.',
    wrong_pin: 'The PIN was wrong.',
    wrong_number: 'There is no such wallet with this number.',
    store_account: 'The store cannot take payments at present.',
    refused: 'The wallet refused it.',
    unavailable: 'The payment service cannot be reached at present.',
    closed: 'The order was cancelled.',
    store_closed: 'The store takes no orders at present.',
    withdrawn: 'The store went on with the order without it.',
  },
  again: 'Nothing was charged. Tap the button to try again, with the same or another wallet.',
  whenOpen: 'Nothing was charged. You can try again with the button when the store takes orders again.',
  askUs: 'Nothing was charged. Please write to us about how to pay.',
  wrong: {
    wallet: 'Please choose one of the wallets.',
    walletOrCash: 'Please choose one of the wallets, or cash.',
    number: "Please give the wallet's number with its country code.",
  },
  underWay: (number) => `The payment for order no. ${number} is under way; please confirm it on the phone.`,
  notOpen: (number) => `Order no. ${number} is not waiting for a payment; nothing was charged.`,
  closed: 'Sorry, this store takes no orders and no payments at present. Nothing was charged.',
  cashTitle: 'Cash on delivery or pickup',
  payInCash: (money) => `Please pay ${money} in cash when you get your order.`,
  withdrawn: (number) =>
    `You need not pay order no. ${number} with your wallet any more. If your phone asks for it, please decline; what is paid all the same goes back to you.`,
};

const so: PaymentTexts = {
  cta: 'Bixi',
  confirm: (money, wallet, phone) => `Fadlan ka xaqiiji lacag-bixinta ${money} ee ${wallet} telefoonka ${phone}.`,
  failed: (number) => `Lacag-bixinta dalabkaaga lambarka ${number} ma guulaysan.`,
  why: {
    cancelled: 'Waad joojisay.',
    no_answer: 'Waqtigii loogu talagalay laguma xaqiijin.',
    insufficient_funds: 'Lacagta ku jirta koontada kuma filna.',
    wrong_pin: 'Lambarka sirta ah wuu khaldanaa.',
    wrong_number: 'Lambarkan koonto noocaas ah ma laha.',
    store_account: 'Dukaanku hadda lacag ma qaadi karo.',
    refused: 'Koontadu way diidday.',
    unavailable: 'Adeegga lacag-bixinta hadda lama heli karo.',
    closed: 'Dalabka waa la joojiyay.',
    store_closed: 'Dukaanku hadda dalab ma qaadayo.',
    withdrawn: "Dukaanku dalabka wuu sii waday lacag-bixintan la'aanteed.",
  },
  again: 'Wax lacag ah lagama jarin. Taabo badhanka si aad mar kale isugu daydo, isla koontada ama mid kale.',
  whenOpen: 'Wax lacag ah lagama jarin. Badhanka ayaad mar kale isugu dayi kartaa marka dukaanku dalab qaado.',
  askUs: 'Wax lacag ah lagama jarin. Fadlan noo soo qor sida aad u bixinayso.',
  wrong: {
    wallet: 'Fadlan dooro mid ka mid ah koontooyinka.',
    walletOrCash: 'Fadlan dooro mid ka mid ah koontooyinka, ama lacag caddaan ah.',
    number: 'Fadlan qor lambarka koontada oo leh koodhka dalka.',
  },
  underWay: (number) => `Lacag-bixinta dalabka lambarka ${number} way socotaa; fadlan ka xaqiiji telefoonka.`,
  notOpen: (number) => `Dalabka lambarka ${number} lacag ma sugayo; wax lacag ah lagama jarin.`,
  closed: 'Waan ka xunnahay, dukaanku hadda dalab iyo lacag midna ma qaadayo. Wax lacag ah lagama jarin.',
  cashTitle: 'Caddaan marka aad hesho',
  payInCash: (money) => `Fadlan ${money} caddaan ku bixi marka aad dalabkaaga hesho.`,
  withdrawn: (number) =>
    `Uma baahnid inaad dalabka lambarka ${number} koontada ku bixiso. Haddii telefoonku ku weydiiyo, fadlan diid; wixii la bixiyo waa laguu soo celin doonaa.`,
};

const ar: PaymentTexts = {
  cta: 'ادفع',
  confirm: (money, wallet, phone) => `يرجى تأكيد دفع ${money} عبر ${wallet} على الهاتف ${phone}.`,
  failed: (number) => `لم تنجح عملية الدفع لطلبك رقم ${number}.`,
  why: {
    cancelled: 'لقد ألغيتها.',
    no_answer: 'لم يتم تأكيدها في الوقت المحدد.',
    insufficient_funds: 'الرصيد في المحفظة غير كافٍ.',
    wrong_pin: 'الرقم السري غير صحيح.',
    wrong_number: 'لا توجد محفظة كهذه لهذا الرقم.',
    store_account: 'لا يستطيع المتجر استلام المدفوعات حاليًا.',
    refused: 'رفضتها المحفظة.',
    unavailable: 'تعذر الوصول إلى خدمة الدفع حاليًا.',
    closed: 'أُلغي الطلب.',
    store_closed: 'لا يستقبل المتجر الطلبات حاليًا.',
    withdrawn: 'واصل المتجر الطلب من دونها.',
  },
  again: 'لم يُخصم أي مبلغ. اضغط على الزر للمحاولة مرة أخرى بالمحفظة نفسها أو بغيرها.',
  whenOpen: 'لم يُخصم أي مبلغ. يمكنك المحاولة مرة أخرى بالزر عندما يستقبل المتجر الطلبات من جديد.',
  askUs: 'لم يُخصم أي مبلغ. يرجى مراسلتنا بشأن طريقة الدفع.',
  wrong: {
    wallet: 'يرجى اختيار إحدى المحافظ.',
    walletOrCash: 'يرجى اختيار إحدى المحافظ أو الدفع نقدًا.',
    number: 'يرجى كتابة رقم المحفظة مع رمز الدولة.',
  },
  underWay: (number) => `عملية الدفع للطلب رقم ${number} جارية؛ يرجى تأكيدها على الهاتف.`,
  notOpen: (number) => `الطلب رقم ${number} لا ينتظر الدفع؛ لم يُخصم أي مبلغ.`,
  closed: 'عذرًا، هذا المتجر لا يستقبل الطلبات ولا المدفوعات حاليًا. لم يُخصم أي مبلغ.',
  cashTitle: 'نقدًا عند الاستلام',
  payInCash: (money) => `يرجى دفع ${money} نقدًا عند استلام طلبك.`,
  withdrawn: (number) =>
    `لم يعد عليك دفع الطلب رقم ${number} بالمحفظة. إذا طُلب منك الدفع على هاتفك فيرجى الرفض؛ وما يُدفع رغم ذلك يعود إليك.`,
};

const TEXTS: Readonly<Record<Locale, PaymentTexts>> = { en, so, ar };

export const paymentTextsIn = (locale: Locale): PaymentTexts => TEXTS[locale];
