import { refuse } from '../../domain/decider.js';
import type { AnyProjection } from '../../engine/projections/projection.js';
import { suggestionSentence } from '../../service/suggestions.js';

/** Refuses `not_found`, with the names that may have been meant. */
export function findProjection(projections: readonly AnyProjection[], name: string): AnyProjection {
  const found = projections.find((one) => one.name === name);
  if (found !== undefined) return found;
  const names = projections.map((one) => one.name).sort();
  const hint = suggestionSentence(name, names, `Available: ${names.join(', ')}.`);
  return refuse('not_found', `There is no projection ${name}. ${hint}`);
}
