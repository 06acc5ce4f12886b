import { acknowledged } from './acknowledged.js';
import { catalogPrices } from './catalogs.js';
import { formTotals } from './forms.js';
import { formsAnswered } from './formsAnswered.js';
import { idempotencyUses } from './idempotencyUses.js';
import type { Invariant } from './invariant.js';
import { messages } from './messages.js';
import { money } from './money.js';
import { once } from './once.js';
import { oneCustomer } from './oneCustomer.js';
import { orderNumbers } from './orderNumbers.js';
import { payersNotified } from './payersNotified.js';
import { promotionLimits } from './promotionLimits.js';
import { partitioned, readModels } from './readModels.js';
import { webhooks } from './webhooks.js';

const ALL: readonly Invariant[] = [
  acknowledged,
  orderNumbers,
  promotionLimits,
  money,
  formTotals,
  formsAnswered,
  messages,
  oneCustomer,
  once,
  idempotencyUses,
  payersNotified,
  webhooks,
  catalogPrices,
  readModels,
  partitioned,
];

export const violations: Invariant = (ended) => ALL.flatMap((invariant) => invariant(ended));
