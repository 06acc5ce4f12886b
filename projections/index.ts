import type { AnyProjection } from '../engine/projections/projection.js';
import { apiKeys } from './apiKeys.js';
import { automaticPromotions } from './automaticPromotions.js';
import { catalogItems } from './catalogItems.js';
import { catalogStatus } from './catalogStatus.js';
import { categories } from './categories.js';
import { channelNumbers } from './channelNumbers.js';
import { consoleSessions } from './consoleSessions.js';
import { conversationFiles } from './conversationFiles.js';
import { conversations } from './conversations.js';
import { customerActivity } from './customerActivity.js';
import { deliverySettings } from './deliverySettings.js';
import { files } from './files.js';
import { members } from './members.js';
import { messages } from './messages.js';
import { numberListPhones, numberLists } from './numberLists.js';
import { orderRows, orders } from './orders.js';
import { paidOrders } from './paidOrders.js';
import { partners } from './partners.js';
import { paymentSettings } from './paymentSettings.js';
import { plans } from './plans.js';
import { products } from './products.js';
import { promotions } from './promotions.js';
import { promotionUses } from './promotionUses.js';
import { recordings } from './recordings.js';
import { retentionRules } from './retentionRules.js';
import { salesSlots } from './salesSlots.js';
import { sendingQueues } from './sendingQueues.js';
import { sessionStores, sessions } from './sessions.js';
import { storage } from './storage.js';
import { stores } from './stores.js';
import { teams } from './teams.js';
import { templateSyncs } from './templateSyncs.js';
import { templates } from './templates.js';
import { webhookEndpoints } from './webhookEndpoints.js';

export { fingerprints } from './fingerprints.js';

/** Every read model of the service, in no order. */
export const projections: readonly AnyProjection[] = [
  apiKeys,
  automaticPromotions,
  catalogItems,
  catalogStatus,
  categories,
  channelNumbers,
  consoleSessions,
  conversations,
  customerActivity,
  deliverySettings,
  conversationFiles,
  files,
  members,
  messages,
  numberListPhones,
  numberLists,
  orderRows,
  orders,
  paidOrders,
  partners,
  paymentSettings,
  plans,
  products,
  promotions,
  promotionUses,
  sendingQueues,
  sessionStores,
  sessions,
  recordings,
  retentionRules,
  salesSlots,
  storage,
  stores,
  teams,
  templateSyncs,
  templates,
  webhookEndpoints,
];
