import { DEFAULT_SETTINGS } from '../../../domain/delivery/delivery.js';
import { type DeliveryBody as Body, deliverySettings } from '../../../projections/deliverySettings.js';
import { Json, type RequestReads } from '../../contract/operation.js';

const DEFAULTS: Body = { ...DEFAULT_SETTINGS, saved: false };

/** The store's delivery settings as they are answered, also while none are saved. */
export async function settingsOf(read: RequestReads, workspaceId: string): Promise<Json | Body> {
  const found = await read.get(deliverySettings, workspaceId);
  return found === undefined ? DEFAULTS : new Json(found.json);
}
