import { repeatedIdProblems } from '../../../domain/catalog/repeatedIds.js';
import type { BodyRule } from '../../contract/operation.js';

/** External ids of a list of the body differ. */
export const idsDiffer = (kind: 'product' | 'category', each: string): BodyRule => ({
  each,
  fields: ['externalId'],
  among: (items) =>
    repeatedIdProblems(
      kind,
      items.map(({ value, at }) => ({ externalId: value.externalId, at: `${at}.externalId` })),
    ),
});
