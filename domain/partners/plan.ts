/** A plan: the features and limits of its stores. Stream `plan-{key}`. Each publication is a new version. */
import { type Aggregate, type Decision, type FieldProblem, refuse, type WithMeta } from '../decider.js';
import type { PlanEvent, PlanFeature } from './partnerEvents.js';

// State ------------------------------------------------------------------------------------------------------------
export type Plan =
  | { readonly status: 'absent' }
  | {
      readonly status: 'published';
      readonly name: string;
      readonly features: readonly PlanFeature[];
      readonly version: number;
      /** Start of the current period without interruption, by offered feature, ms since 1970. */
      readonly offeredSince: ReadonlyMap<string, number>;
    };

function evolve(before: Plan, { data, meta }: WithMeta<PlanEvent>): Plan {
  const { name, features, version } = data;
  const since = before.status === 'published' ? before.offeredSince : new Map<string, number>();
  const now = Date.parse(meta.at);
  const offered = features.filter(({ enabled }) => enabled).map(({ key }) => [key, since.get(key) ?? now] as const);
  return { status: 'published', name, features, version, offeredSince: new Map(offered) };
}

export const plan: Aggregate<Plan, PlanEvent> = {
  name: 'plan',
  initial: () => ({ status: 'absent' }),
  evolve,
};

/**
 * Returns true if the plan offers the feature, and has offered it without interruption since `since` (ms since 1970), if given. A plan that
 * does not exist offers none.
 */
export const offers =
  (key: string, since = Number.POSITIVE_INFINITY) =>
  (state: Plan): boolean => {
    const from = state.status === 'published' ? state.offeredSince.get(key) : undefined;
    return from !== undefined && from <= since;
  };

// Decisions --------------------------------------------------------------------------------------------------------
export interface PublishPlan {
  /** 1–64 lower-case letters, digits, '_' and '-', starting with a letter or digit. */
  readonly key: string;
  readonly name: string;
  /** Replaces the features of the previous version. */
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

/** Publishes a new version, effective at once for every store on the plan. Equal content leads to no event. */
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
