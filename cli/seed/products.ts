/** Goods of a demo store. */
import { pictureUrl } from '../../api/pages/pictures/demoPictures.js';
import type { Arguments } from '../../client/src/client.js';

type Categories = Arguments<'upsertProductCategories'>['body']['categories'];
export type Product = Arguments<'upsertProducts'>['body']['products'][number];

/** Prefix of all external ids, so that they differ from the store's own. */
const PREFIX = 'demo-';

export const CATEGORIES: Categories = [
  { externalId: 'demo-clothes', name: 'Clothes' },
  { externalId: 'demo-accessories', name: 'Accessories' },
  { externalId: 'demo-food', name: 'Coffee, tea and food' },
  { externalId: 'demo-home', name: 'Home' },
  { externalId: 'demo-beauty', name: 'Beauty' },
];

interface Goods {
  /** Name of the picture, which is the id too. */
  readonly picture: string;
  readonly name: string;
  readonly cents: number;
  readonly description: string;
}

const goods = (picture: string, name: string, cents: number, description: string): Goods => ({
  picture,
  name,
  cents,
  description,
});

type More = Omit<Partial<Product>, 'externalId' | 'name' | 'priceCents'>;

const product = (category: string, { picture, name, cents, description }: Goods, more: More = {}): Product => ({
  externalId: `${PREFIX}${picture}`,
  name,
  description,
  imageUrls: [pictureUrl(picture)],
  priceCents: cents,
  categoryExternalId: `${PREFIX}${category}`,
  ...more,
});

const sizes = (picture: string, ...names: string[]): More => ({
  variants: names.map((size) => ({ externalId: `${PREFIX}${picture}-${size.toLowerCase()}`, size })),
});

/** Description that the sandbox's reviewers reject. */
const COUNTERFEIT = 'Counterfeit';

export const PRODUCTS: readonly Product[] = [
  product(
    'clothes',
    goods('dirac-indigo', 'Indigo dirac', 3200, 'Light cotton with golden trim, for weddings and Eid.'),
    {
      stock: 14,
    },
  ),
  product('clothes', goods('dirac-rose', 'Rose dirac', 3400, 'Sheer rose cotton with an underskirt.'), { stock: 9 }),
  product('clothes', goods('shawl-sand', 'Sand shawl', 1200, 'Soft wool, two metres, with fringes.')),
  product('clothes', goods('macawis-green', 'Green macawis', 1500, 'Woven in Mogadishu. One size fits all.')),
  product(
    'clothes',
    goods('shirt-white', 'White cotton shirt', 1800, 'Short sleeves, breast pocket, easy to iron.'),
    sizes('shirt-white', 'S', 'M', 'L'),
  ),
  product('clothes', goods('cap-embroidered', 'Embroidered cap', 900, 'Embroidered by hand.')),
  product(
    'accessories',
    goods('sandals-leather', 'Leather sandals', 2400, 'Goat leather on a soft sole.'),
    sizes('sandals-leather', '38', '40', '42'),
  ),
  product('accessories', goods('handbag-tan', 'Tan handbag', 3900, 'Full leather with a brass clasp.'), {
    salePriceCents: 3300,
  }),
  product('accessories', goods('sunglasses-dark', 'Designer sunglasses', 2900, COUNTERFEIT)),
  product('accessories', goods('watch-steel', 'Steel watch', 5600, 'Steel strap, water-resistant to 50 m.'), {
    stock: 3,
  }),
  product('accessories', goods('earrings-gold', 'Gold-plated earrings', 1400, 'With red glass stones.')),
  product('food', goods('coffee-harar', 'Harar coffee, 500 g', 1100, 'Whole beans, medium roast.')),
  product('food', goods('tea-spiced', 'Spiced tea, 250 g', 650, 'Black tea with cardamom, cinnamon and cloves.')),
  product('food', goods('honey-acacia', 'Acacia honey, 1 kg', 1600, 'From the hills of Sanaag.'), { stock: 21 }),
  product('food', goods('dates-medjool', 'Medjool dates, 1 kg', 950, 'This season, soft and large.')),
  product('food', goods('oil-sesame', 'Sesame oil, 1 l', 850, 'Cold-pressed.'), { availability: 'out_of_stock' }),
  product('home', goods('teapot-blue', 'Blue teapot', 2200, 'Enamelled steel, for eight glasses.')),
  product('home', goods('burner-clay', 'Clay incense burner', 1300, 'A dabqaad, carved from one piece.')),
  product('home', goods('incense-uunsi', 'Uunsi incense, 200 g', 700, 'Made to the recipe of Hargeisa.')),
  product('home', goods('basket-woven', 'Woven basket', 2600, 'Palm leaf, 40 cm, with a lid.')),
  product('home', goods('lamp-solar', 'Solar lamp', 3100, 'Eight hours of light, charges a phone.'), { stock: 12 }),
  product('home', goods('cushion-red', 'Red cushion', 1700, 'Cover of woven wool, 45 cm.')),
  product('beauty', goods('henna-powder', 'Henna powder, 100 g', 450, 'Finely sieved, nothing added.')),
  product('beauty', goods('perfume-oud', 'Oud perfume, 50 ml', 4800, 'Oud, amber and rose.')),
];

/** External id of an ordered product. */
export const demoItem = (name: string): string => `${PREFIX}${name}`;

/** The product that is rejected. */
export const REJECTED = demoItem('sunglasses-dark');
