/** What each area of the reference is about. */
export const TAGS: Readonly<Record<string, string>> = {
  'SDK sessions':
    'Sessions of users in a browser or an app: made from a user token that your server signs, refreshed, ended.',
  'Partner API': 'A partner’s own account and its stores, with the partner’s secret key, from a server only.',
  Members: 'The people of a store.',
  Teams: 'The teams of a store, with their queues of calls.',
  Categories: 'Categories of products, in display order.',
  Products: 'The catalog of a store, which is pushed to the channel’s catalog within a minute.',
  Delivery: 'Where a store delivers, for how much, and which statuses its customers are told of.',
  'Number lists': 'Lists of customers, by their numbers, for whom promotions can be.',
  Promotions: 'Flash sales, discounts for the numbers of a list, and coupons.',
  Orders: 'Carts that customers sent, priced from the catalog, and their way to the customer.',
  History:
    'What happened in a store and to each thing of it, by whom, and what was another before: for its own auditors.',
  Inbox:
    'Conversations between a store’s number and its customers. Outside the 24-hour window only approved templates may be sent.',
  Files: 'Files that messages and templates carry, and those that customers sent.',
  Recordings: 'Sound that calls of a store can play.',
  'Store payments': 'A store’s account at the payment provider, and the wallets that its customers may pay with.',
  'Message templates': 'Texts that the provider approves, and which alone may be sent outside the 24-hour window.',
  'Partner webhooks': 'Endpoints that receive the events of every store of a partner.',
  Webhooks: 'Endpoints that receive the events of one store.',
  'Webhook events': 'What is posted to the endpoints, by the type of the event.',
  Console: 'The way into the console for a store’s people.',
};
