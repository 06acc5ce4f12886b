/** Customers of a demo store and their orders, from the cart to their final states. */
import { demoItem } from './products.js';

/** Final state of an order. `unpaid`: the payment failed, and the order waits for another one. */
export type Goal =
  | 'new'
  | 'checked_out'
  | 'unpaid'
  | 'paid'
  | 'preparing'
  | 'out_for_delivery'
  | 'delivered'
  | 'cancelled'
  | 'refunded';

export interface SeedOrder {
  /** Unique among the orders of a store. */
  readonly key: string;
  readonly goal: Goal;
  readonly items: readonly { readonly retailerId: string; readonly quantity: number }[];
  readonly area?: string;
  readonly cash?: true;
  readonly coupon?: string;
  /** The customer's words with the cart. */
  readonly text?: string;
}

export interface SeedCustomer {
  /** Digits. The last four decide how payments end in the sandbox. */
  readonly phone: string;
  readonly name: string;
  readonly orders: readonly SeedOrder[];
}

type More = Pick<SeedOrder, 'area' | 'cash' | 'coupon' | 'text'>;
type Line = readonly [quantity: number, item: string];

const order = (goal: Goal, lines: readonly Line[], more: More = {}): Omit<SeedOrder, 'key'> => ({
  goal,
  items: lines.map(([quantity, item]) => ({ retailerId: demoItem(item), quantity })),
  ...more,
});

const customer = (phone: string, name: string, ...orders: readonly Omit<SeedOrder, 'key'>[]): SeedCustomer => ({
  phone,
  name,
  orders: orders.map((one, at) => ({ ...one, key: `${phone} ${at + 1}` })),
});

/** Code of the coupon that some customers use. */
export const COUPON = 'WELCOME10';
/** Customers who get the discount of a number list. */
export const REGULARS = ['252617770101', '252617770102', '252617770103'] as const;

/** In the sandbox, such a wallet has too little money. */
const TOO_LITTLE = '252617779902';
/** In the sandbox, this customer cancels the payment. */
const CANCELS = '252617779901';

export const CUSTOMERS: readonly SeedCustomer[] = [
  customer(
    REGULARS[0],
    'Asha Warsame',
    order(
      'delivered',
      [
        [1, 'dirac-indigo'],
        [1, 'earrings-gold'],
      ],
      { area: 'Hodan' },
    ),
    order('delivered', [[2, 'coffee-harar']], { area: 'Hodan' }),
    order(
      'preparing',
      [
        [1, 'teapot-blue'],
        [2, 'tea-spiced'],
      ],
      { area: 'Hodan', text: 'A gift, please wrap it.' },
    ),
  ),
  customer(
    REGULARS[1],
    'Ismail Nur',
    order('delivered', [[2, 'macawis-green']]),
    order(
      'out_for_delivery',
      [
        [1, 'shirt-white-l'],
        [1, 'cap-embroidered'],
      ],
      { area: 'Wadajir' },
    ),
  ),
  customer(
    REGULARS[2],
    'Layla Omar',
    order('delivered', [[1, 'perfume-oud']], { area: 'Waberi', cash: true }),
    order('refunded', [[1, 'handbag-tan']]),
    order(
      'paid',
      [
        [1, 'sandals-leather-38'],
        [1, 'shawl-sand'],
      ],
      { area: 'Waberi' },
    ),
  ),
  customer(
    '252617770104',
    'Cabdi Faarax',
    order(
      'delivered',
      [
        [1, 'lamp-solar'],
        [1, 'honey-acacia'],
      ],
      { area: 'Yaaqshiid', cash: true },
    ),
    order('cancelled', [[1, 'watch-steel']], { text: 'Is it water-resistant?' }),
  ),
  customer(
    '252617770105',
    'Hodan Yusuf',
    order(
      'delivered',
      [
        [3, 'incense-uunsi'],
        [1, 'burner-clay'],
      ],
      { area: 'Hodan' },
    ),
    order('paid', [[2, 'dates-medjool']], { coupon: COUPON }),
  ),
  customer(
    '252617770106',
    'Maxamed Cali',
    order('delivered', [[2, 'cushion-red']], { area: 'Wadajir' }),
    order('new', [[1, 'basket-woven']]),
  ),
  customer(
    '252617770107',
    'Faadumo Axmed',
    order(
      'delivered',
      [
        [1, 'dirac-rose'],
        [1, 'henna-powder'],
      ],
      { area: 'Hodan', coupon: COUPON },
    ),
    order('preparing', [[1, 'dirac-indigo']], { area: 'Hodan' }),
  ),
  customer(
    '252617770108',
    'Nimco Jaamac',
    order('delivered', [[1, 'handbag-tan']], { area: 'Waberi' }),
    order('new', [[2, 'henna-powder']]),
  ),
  customer('252617770109', 'Yuusuf Aadan', order('out_for_delivery', [[1, 'watch-steel']], { area: 'Yaaqshiid' })),
  customer(
    '252617770110',
    'Sahra Maxamuud',
    order('refunded', [[1, 'dirac-rose']], { area: 'Hodan' }),
    order('paid', [[1, 'teapot-blue']]),
  ),
  customer(
    '252617770111',
    'Cumar Xasan',
    order(
      'delivered',
      [
        [4, 'coffee-harar'],
        [1, 'honey-acacia'],
      ],
      { area: 'Wadajir', cash: true },
    ),
  ),
  customer(
    '252617770112',
    'Ifrax Diiriye',
    order('cancelled', [
      [1, 'basket-woven'],
      [1, 'cushion-red'],
    ]),
  ),
  customer(
    '252617770113',
    'Khadiija Muuse',
    order(
      'preparing',
      [
        [1, 'perfume-oud'],
        [1, 'shawl-sand'],
      ],
      { area: 'Waberi', coupon: COUPON },
    ),
  ),
  customer('252617770114', 'Bilal Rashiid', order('checked_out', [[1, 'shirt-white-m']], { cash: true })),
  customer(TOO_LITTLE, 'Deeqa Saciid', order('unpaid', [[1, 'lamp-solar']], { area: 'Hodan' })),
  customer(
    CANCELS,
    'Warsan Cige',
    order('unpaid', [
      [1, 'sandals-leather-40'],
      [1, 'earrings-gold'],
    ]),
  ),
  customer(
    '252617770115',
    'Liban Guuleed',
    order(
      'out_for_delivery',
      [
        [2, 'shirt-white-s'],
        [1, 'macawis-green'],
      ],
      { area: 'Wadajir' },
    ),
  ),
  customer(
    '252617770116',
    'Ayaan Bashiir',
    order(
      'paid',
      [
        [1, 'cap-embroidered'],
        [2, 'tea-spiced'],
      ],
      { area: 'Hodan' },
    ),
  ),
];

/** The last order to be created. A store that has it is complete. */
export const LAST = customer(
  '252617770199',
  'Zahra Ducaale',
  order('new', [
    [1, 'honey-acacia'],
    [1, 'coffee-harar'],
  ]),
);
