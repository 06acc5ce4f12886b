/** Chats of a demo store with customers who do not order. */

/** A message of the customer as the sandbox accepts it, or an answer of the store. */
export type ChatStep =
  | { readonly customer: object /** Minutes ago that it was written. */; readonly ago: number }
  | { readonly store: string };

export interface SeedChat {
  /** Digits. */
  readonly phone: string;
  readonly name: string;
  readonly steps: readonly ChatStep[];
}

const HOUR = 60;
const DAY = 24 * HOUR;
const asCustomer = (text: string, ago: number): ChatStep => ({ customer: { text }, ago });
const answers = (store: string): ChatStep => ({ store });

export const CHATS: readonly SeedChat[] = [
  {
    phone: '252617770201',
    name: 'Rahma Guuleed',
    steps: [
      asCustomer('Salaam! Do you have the indigo dirac in stock?', 5 * HOUR),
      answers('Wa calaykum salaam, Rahma. Yes, fourteen pieces. Shall I put one aside?'),
      asCustomer('Yes please, until tomorrow.', 4 * HOUR),
      answers('Done. It waits for you under your name.'),
    ],
  },
  {
    phone: '252617770202',
    name: 'Xaawo Cilmi',
    steps: [
      asCustomer('My sandals came in the wrong size 😕', 3 * HOUR),
      { customer: { image: { caption: 'These are 42' } }, ago: 3 * HOUR - 1 },
    ],
  },
  {
    phone: '252617770203',
    name: 'Mustafe Cabdi',
    steps: [
      asCustomer('How long does the delivery to Yaaqshiid take?', 2 * HOUR),
      answers('Two hours at most. Today until six.'),
      { customer: { location: { latitude: 2.0643, longitude: 45.3489, name: 'Suuqa Xamar Weyne' } }, ago: HOUR },
    ],
  },
  { phone: '252617770204', name: 'Ruqiya Daahir', steps: [{ customer: { voice: true }, ago: 50 }] },
  {
    phone: '252617770205',
    name: 'Saalim Baashi',
    steps: [asCustomer('Do you sell to shops? I need 40 caps.', 35), asCustomer('And 20 macawis', 34)],
  },
  {
    phone: '252617770206',
    name: 'Idil Maxamed',
    steps: [asCustomer('Thank you, the teapot is beautiful!', DAY + 3 * HOUR)],
  },
  { phone: '252617770207', name: 'Geedi Shire', steps: [asCustomer('Are you open on Friday?', 3 * DAY)] },
  { phone: '252617770208', name: 'Muna Faarax', steps: [asCustomer('What does the perfume cost?', 6 * DAY)] },
];
