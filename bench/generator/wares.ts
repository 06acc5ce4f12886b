/** Invented names and products of shops, and texts of chats. */

export const KINDS = [
  {
    shop: 'Fashion',
    categories: ['Dresses', 'Shirts', 'Scarves', 'Shoes'],
    wares: ['Dress', 'Shirt', 'Scarf', 'Sandals', 'Dirac'],
    cents: [900, 6_500],
  },
  {
    shop: 'Electronics',
    categories: ['Phones', 'Cables', 'Lamps'],
    wares: ['Phone', 'Charger', 'Lamp', 'Headphones', 'Power bank'],
    cents: [400, 38_000],
  },
  {
    shop: 'Pharmacy',
    categories: ['Care', 'Babies'],
    wares: ['Soap', 'Cream', 'Shampoo', 'Nappies', 'Toothpaste'],
    cents: [150, 2_500],
  },
  {
    shop: 'Market',
    categories: ['Grains', 'Fruit', 'Spices', 'Drinks'],
    wares: ['Rice 5 kg', 'Dates', 'Cardamom', 'Camel milk', 'Tea'],
    cents: [80, 3_000],
  },
  {
    shop: 'Home',
    categories: ['Kitchen', 'Carpets', 'Beds'],
    wares: ['Pan', 'Carpet', 'Blanket', 'Kettle', 'Pillow'],
    cents: [500, 19_000],
  },
] as const;

export const PLACES = ['Hodan', 'Wadajir', 'Bakaara', 'Hargeisa', 'Bosaso', 'Kismayo', 'Garowe', 'Burao'] as const;
export const COLORS = ['black', 'white', 'red', 'blue', 'green', 'brown'] as const;
export const PEOPLE = [
  'Asha',
  'Hodan',
  'Ayaan',
  'Fadumo',
  'Sahra',
  'Abdi',
  'Yusuf',
  'Omar',
  'Ismail',
  'Liban',
] as const;
export const FAMILIES = ['Warsame', 'Ali', 'Nur', 'Farah', 'Hassan', 'Jama', 'Aden', 'Duale'] as const;
export const AREAS = ['Centre', 'Airport road', 'Old port', 'University', 'Stadium'] as const;

export const GREETINGS = ['Salaam, is anybody there?', 'Hello!', 'Good morning, are you open?', 'Iska warran'] as const;
export const QUESTIONS = [
  'Do you have this in another colour?',
  'How long does delivery take?',
  'Is it still in stock? My sister bought one last week and everybody in the house likes it.',
  'Can I pay when it comes?',
  'What does it cost for three of them?',
  'Could you send me a picture, please? I cannot see the details in the one of the catalog.',
  'Where is your shop? I could come by after the afternoon prayer.',
  'The last one was a little small. Which size should I take?',
] as const;
export const ANSWERS = [
  'Yes, we have it. Shall I put one aside for you?',
  'Delivery takes one day in the city, and two or three elsewhere.',
  'You can pay with your wallet, or in cash to the driver.',
  'We are open from eight to nine in the evening, on Fridays from two.',
  'Take the next size: they turn out small.',
  'For three of them we can do something about the delivery. Send us the cart and we shall see.',
  'I have asked in the store room, and we get new ones on Saturday.',
  'Thank you for asking!',
] as const;
export const SOLD_OUT = 'What I wanted is sold out. When do you get new ones?';
export const THANKS = ['Thank you', 'Mahadsanid', 'Great, thanks', 'ok', '👍'] as const;
