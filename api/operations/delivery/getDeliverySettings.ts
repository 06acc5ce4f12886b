import { operation } from '../../contract/operation.js';
import { DeliveryBody } from './schemas.js';
import { settingsOf } from './settingsBody.js';

/** (Specification 1, 'Delivery'.) */
export const getDeliverySettings = operation({
  id: 'getDeliverySettings',
  route: 'GET {C}/delivery',
  summary: "The store's delivery settings, or the defaults while none are saved.",
  tag: 'Delivery',
  scope: 'commerce:manage',
  feature: 'commerce.orders',
  answers: { 200: DeliveryBody },
  handle: async ({ workspace, read }) => ({ status: 200, body: await settingsOf(read, workspace.workspaceId) }),
});
