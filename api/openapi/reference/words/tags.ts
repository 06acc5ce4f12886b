/** Descriptions of the reference's areas. */
export const TAGS: Readonly<Record<string, string>> = {
  'SDK sessions': 'Sessions of users in a browser or an app, created from a user token that your server signs.',
  'Partner API': 'A partner’s own account and its stores, with the partner’s secret key, from a server only.',
  Members: 'The people of a store.',
  Teams: 'The teams of a store, with their queues of calls.',
  Categories: 'Categories of products, in display order.',
  Products: 'The catalog of a store, which is pushed to the channel’s catalog within a minute.',
  Delivery: 'Delivery areas and fees of a store, and the order statuses that its customers are notified of.',
  'Number lists': 'Lists of customer phone numbers that promotions can target.',
  Promotions: 'Flash sales, discounts for the numbers of a list, and coupons.',
  Orders: 'Carts that customers sent, priced from the catalog, from checkout to delivery.',
  History: 'Audit history of a store and of each object in it: what changed, when and by whom.',
  Inbox:
    'Conversations between a store’s number and its customers. Outside the 24-hour window only approved templates may be sent.',
  Files: 'Files that messages and templates carry, and those that customers sent.',
  Recordings: 'Recordings that the calls of a store can play.',
  'Store payments': 'A store’s account at the payment provider, and the wallets that its customers may pay with.',
  'Message templates': 'Texts that the provider approves. Outside the 24-hour window only these may be sent.',
  'Partner webhooks': 'Endpoints that receive the events of every store of a partner.',
  Webhooks: 'Endpoints that receive the events of one store.',
  'Webhook events': 'Bodies that are posted to webhook endpoints, by event type.',
  Console: 'Links that sign members of a store in to the console.',
};
