import { refuse } from '../../domain/decider.js';
import type { AnyProjection } from '../../engine/projections/projection.js';
import { meantSentence } from '../../service/nearest.js';

/** Refuses `not_found`, with the names that may have been meant. */
export function projectionNamed(projections: readonly AnyProjection[], name: string): AnyProjection {
  const found = projections.find((one) => one.name === name);
  if (found !== undefined) return found;
  const names = projections.map((one) => one.name).sort();
  const hint = meantSentence(name, names, `There are: ${names.join(', ')}.`);
  return refuse('not_found', `There is no projection ${name}. ${hint}`);
}
