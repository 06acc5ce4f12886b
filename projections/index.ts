import { apiKeys } from './apiKeys.js';
import { channelNumbers } from './channelNumbers.js';
import { partners } from './partners.js';
import { plans } from './plans.js';
import type { AnyProjection } from './projection.js';
import { stores } from './stores.js';

/** Every read model of the service, in no order. */
export const projections: readonly AnyProjection[] = [apiKeys, channelNumbers, partners, plans, stores];
