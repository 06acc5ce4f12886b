/** Icons of 20 by 20, in the colour of the text. They only repeat the words next to them. */
const PATHS = {
  promotions: 'M3 10V4h6l8 8-6 6-8-8Zm4-3v.1',
  delivery: 'M2 5h9v9H2V5Zm9 3h4l3 3v3h-7M6 14.500a1.500 1.500 0 1 0 0 .1M15 14.500a1.500 1.500 0 1 0 0 .1',
  payments: 'M2 5h16v10H2V5Zm0 3h16M5 12h3',
  home: 'M3 9l7-6 7 6v8h-5v-5H8v5H3V9Z',
  orders: 'M4 5h12l-1 11H5L4 5Zm3 0V4a3 3 0 0 1 6 0v1',
  events: 'M3 10h3l2-6 4 12 2-6h3',
  requests: 'M3 7h11l-3-3M17 13H6l3 3',
  admin: 'M4 6h6M14 6h2M4 14h2M10 14h6M12 4v4M8 12v4',
  inbox: 'M3 4h14v9H9l-4 4v-4H3V4Zm4 4h6',
  templates: 'M5 3h10v14H5V3Zm3 4h4M8 10h4M8 13h2',
  machine: 'M4 6h12M4 10h12M4 14h12M7 4v4M13 8v4M9 12v4',
  webhooks: 'M7 8a3 3 0 1 1 4 2.800L9 14M5 11a3 3 0 1 0 3 4h5M13 12a3 3 0 1 1-2 5',
  people:
    'M7 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6Zm-5 8c0-3 2-5 5-5s5 2 5 5M13 9a2.500 2.500 0 1 0 0-5M14 12c2.500.500 4 2.200 4 5',
  catalog: 'M4 4h5v5H4V4Zm7 0h5v5h-5V4ZM4 11h5v5H4v-5Zm7 0h5v5h-5v-5',
  cart: 'M3 4h2l2 9h8l2-6H6M8 16.500v.1M14 16.500v.1',
  moments: 'M10 17a7 7 0 1 0-7-7M3 5v5h5M10 6v4l3 2',
  instances: 'M4 4h12v5H4V4Zm0 7h12v5H4v-5Zm3-4.500v.1M7 13.500v.1',
  theme: 'M10 3a7 7 0 1 0 0 14V3Z',
  out: 'M8 4H4v12h4M12 6l4 4-4 4M16 10H8',
  search: 'M9 15A6 6 0 1 0 9 3a6 6 0 0 0 0 12Zm4.500-1.500L17 17',
  empty: 'M3 11l2-6h10l2 6v5H3v-5Zm0 0h4l1 2h4l1-2h4',
  warn: 'M10 3 2 17h16L10 3Zm0 5v4m0 2.500v.1',
  lock: 'M5 9h10v8H5V9Zm2 0V7a3 3 0 0 1 6 0v2',
  back: 'M12 4l-6 6 6 6',
  next: 'M8 4l6 6-6 6',
  close: 'M5 5l10 10M15 5 5 15',
  link: 'M8 12l4-4M7 9 5 11a3 3 0 0 0 4 4l2-2M13 11l2-2a3 3 0 0 0-4-4L9 7',
  pause: 'M7 4v12M13 4v12',
  play: 'M6 4l10 6-10 6V4Z',
  phone: 'M6 2.500h8v15H6v-15Zm3 12.500h2',
  plus: 'M10 4v12M4 10h12',
  minus: 'M4 10h12',
  send: 'M3 10 17 4l-4 12-3-5-7-1Zm7 1 7-7',
  photo: 'M3 5h14v11H3V5Zm0 9 4-4 3 3 3-3 4 4M13 8v.1',
  voice:
    'M10 3a2.500 2.500 0 0 0-2.500 2.500v4a2.500 2.500 0 0 0 5 0v-4A2.500 2.500 0 0 0 10 3ZM5 9.500a5 5 0 0 0 10 0M10 14.500V17',
  pin: 'M10 17s-5-5-5-9a5 5 0 0 1 10 0c0 4-5 9-5 9Zm0-7.500a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3Z',
  call: 'M5 3h3l1 4-2 1.500a9 9 0 0 0 4.500 4.500L13 11l4 1v3a2 2 0 0 1-2 2A12 12 0 0 1 3 5a2 2 0 0 1 2-2Z',
  file: 'M5 2.500h7l3 3v12H5v-15Zm7 0v3h3',
} as const;

export type IconName = keyof typeof PATHS;

export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
    <path d={PATHS[name]} />
  </svg>
);
