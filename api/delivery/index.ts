import type { Operation } from '../operation.js';
import { getDeliverySettings } from './getDeliverySettings.js';
import { saveDeliverySettings } from './saveDeliverySettings.js';

export const deliveryOperations: readonly Operation[] = [getDeliverySettings, saveDeliverySettings];
