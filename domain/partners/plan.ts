/** A plan: what its stores may use. Stream `plan-{key}`; each publishing is a new version. */
import { type Aggregate, type Decision, type FieldProblem, refuse } from '../decider.js';
import type { PlanEvent, PlanFeature } from './partnerEvents.js';

// State ------------------------------------------------------------------------------------------------------------
export type Plan =
  | { readonly status: 'absent' }
  | {
      readonly status: 'published';
      readonly name: string;
      readonly features: readonly PlanFeature[];
      readonly version: number;
    };

export const plan: Aggregate<Plan, PlanEvent> = {
  name: 'plan',
  initial: () => ({ status: 'absent' }),
  evolve: (_, { data: { name, features, version } }) => ({ status: 'published', name, features, version }),
};

/** Whether stores on the plan may use the feature; a plan that does not exist offers none. */
export const offers =
  (key: string) =>
  (state: Plan): boolean =>
    state.status === 'published' && state.features.some((feature) => feature.key === key && feature.enabled);

// Decisions --------------------------------------------------------------------------------------------------------
export interface PublishPlan {
  /** 1–64 lower-case letters, digits, '_' and '-', beginning with a letter or digit. */
  readonly key: string;
  readonly name: string;
  /** Replaces the features of the version before. */
  readonly features: readonly PlanFeature[];
}

const KEY = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const FEATURE = /^[a-z][a-z0-9_]*(\.[a-z0-9_]+)+$/;
const MAX_FEATURES = 100;

const byKey = (a: PlanFeature, b: PlanFeature): number => (a.key < b.key ? -1 : 1);

const sameFeatures = (a: readonly PlanFeature[], b: readonly PlanFeature[]): boolean =>
  a.length === b.length &&
  a.every(({ key, enabled, limit }, i) => key === b[i]!.key && enabled === b[i]!.enabled && limit === b[i]!.limit);

function problemsOf({ key, name, features }: PublishPlan): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (!KEY.test(key)) problems.push({ message: "1–64 of a–z, 0–9, '_' and '-'", location: 'key', value: key });
  if (name.length < 1 || name.length > 120)
    problems.push({ message: '1–120 characters', location: 'name', value: name });
  if (features.length > MAX_FEATURES) problems.push({ message: `at most ${MAX_FEATURES}`, location: 'features' });
  const seen = new Set<string>();
  for (const [i, feature] of features.entries()) {
    const location = `features[${i}]`;
    if (!FEATURE.test(feature.key))
      problems.push({
        message: 'words of a–z and 0–9 with dots between, such as commerce.catalog',
        location,
        value: feature.key,
      });
    if (seen.has(feature.key)) problems.push({ message: 'given twice', location, value: feature.key });
    if (feature.limit !== undefined && !(Number.isSafeInteger(feature.limit) && feature.limit >= 0))
      problems.push({ message: 'a limit is a whole number from 0', location, value: feature.limit });
    seen.add(feature.key);
  }
  return problems;
}

/** A new version, in force for every store on the plan at once. The same content again publishes nothing. */
export const publishPlan =
  (command: PublishPlan): Decision<Plan, PlanEvent> =>
  (before) => {
    const problems = problemsOf(command);
    if (problems.length > 0) refuse('validation_failed', 'The plan is not valid.', problems);
    const features = [...command.features].sort(byKey);
    const unchanged =
      before.status === 'published' && before.name === command.name && sameFeatures(before.features, features);
    if (unchanged) return [];
    const version = before.status === 'published' ? before.version + 1 : 1;
    return [{ type: 'PlanPublished', data: { key: command.key, name: command.name, features, version } }];
  };
