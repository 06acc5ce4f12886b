import type { Operation } from '../../contract/operation.js';
import { getDeliverySettings } from './getDeliverySettings.js';
import { saveDeliverySettings } from './saveDeliverySettings.js';

export const deliveryOperations: readonly Operation[] = [getDeliverySettings, saveDeliverySettings];
