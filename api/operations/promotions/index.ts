import type { Operation } from '../../contract/operation.js';
import { createPromotion } from './createPromotion.js';
import { deletePromotion } from './deletePromotion.js';
import { getPromotion } from './getPromotion.js';
import { listPromotions } from './listPromotions.js';
import { updatePromotion } from './updatePromotion.js';

export const promotionOperations: readonly Operation[] = [
  listPromotions,
  createPromotion,
  getPromotion,
  updatePromotion,
  deletePromotion,
];
