import { DEFAULT_SETTINGS, delivery, saveDeliverySettings as save } from '../../domain/delivery/delivery.js';
import { type DeliveryBody as Body, deliverySettings } from '../../projections/deliverySettings.js';
import { Json, type Operation, operation, type RequestReads } from '../operation.js';
import { DeliveryBody, DeliverySettingsBody } from './schemas.js';

const declared = {
  tag: 'Delivery',
  scope: 'commerce:manage',
  feature: 'commerce.orders',
  answers: { 200: DeliveryBody },
} as const;

const DEFAULTS: Body = { ...DEFAULT_SETTINGS, saved: false };

async function settingsOf(read: RequestReads, workspaceId: string): Promise<Json | Body> {
  const found = await read.get(deliverySettings, workspaceId);
  return found === undefined ? DEFAULTS : new Json(found.json);
}

/** (Specification 1, 'Delivery'.) */
export const getDeliverySettings = operation({
  ...declared,
  id: 'getDeliverySettings',
  route: 'GET {C}/delivery',
  summary: "The store's delivery settings, or the defaults while none are saved.",
  handle: async ({ workspace, read }) => ({ status: 200, body: await settingsOf(read, workspace.workspaceId) }),
});

/** Replaces the whole settings; an area that is left out is removed. (Specification 1, 'Delivery'.) */
export const saveDeliverySettings = operation({
  ...declared,
  id: 'saveDeliverySettings',
  route: 'PUT {C}/delivery',
  summary: 'Replaces the delivery settings. Delivery or pickup is on; delivery needs at least one active area.',
  body: DeliverySettingsBody,
  problems: ['validation_failed'],
  idempotent: true,
  async handle({ body, workspace: { workspaceId }, commands, read, newId }) {
    const areas = body.areas.map(({ id, ...area }, index) => ({
      ...area,
      ...(id === undefined ? {} : { id: id.toLowerCase() }),
      newId: newId(`area ${index}`),
    }));
    await commands.decide(delivery, workspaceId, save({ ...body, areas }));
    return { status: 200, body: await settingsOf(read, workspaceId) };
  },
});

export const deliveryOperations: readonly Operation[] = [getDeliverySettings, saveDeliverySettings];
