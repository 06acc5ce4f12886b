import { delivery, fieldRules, saveDeliverySettings as save } from '../../../domain/delivery/delivery.js';
import { operation } from '../../contract/operation.js';
import { DeliveryBody, DeliverySettingsBody } from './schemas.js';
import { settingsOf } from './settingsBody.js';

/** Replaces the whole settings; an area that is left out is removed. (Specification 1, 'Delivery'.) */
export const saveDeliverySettings = operation({
  id: 'saveDeliverySettings',
  route: 'PUT {C}/delivery',
  summary: 'Replaces the delivery settings. Delivery or pickup is on; delivery needs at least one active area.',
  tag: 'Delivery',
  scope: 'commerce:manage',
  feature: 'commerce.orders',
  answers: { 200: DeliveryBody },
  body: DeliverySettingsBody,
  rules: fieldRules,
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
