import { type FieldProblem, refuse } from '../decider.js';

/** Permissions inside a store. (Specification 1, 'Authentication', rule 2.) */
export const WORKSPACE_SCOPES = [
  'commerce:manage',
  'orders:view',
  'orders:manage',
  'payments:manage',
  'inbox:reply',
  'members:view',
  'templates:manage',
  'recordings:view',
  'developers:manage',
  // Beyond the specification: read access for auditors of a store.
  'history:view',
  // Beyond the specification: opens the console, which shows the whole store.
  'console:open',
] as const;

/** Permissions of the Partner API. */
export const PARTNER_SCOPES = [
  'partner.account:view',
  'partner.stores:view',
  'partner.stores:manage',
  'partner.webhooks:manage',
] as const;

export type KeyOwner = 'workspace' | 'partner';

/** A partner's key also acts in the partner's stores, so it may have both kinds of scopes. A store's key has only its own. */
const scopesFor = (owner: KeyOwner): readonly string[] =>
  owner === 'partner' ? [...PARTNER_SCOPES, ...WORKSPACE_SCOPES] : WORKSPACE_SCOPES;

/** Returns the scopes sorted and without repeats. Refuses `unknown_scope` for a scope that this owner cannot have. */
export function checkedScopes(owner: KeyOwner, scopes: readonly string[]): readonly string[] {
  const known = scopesFor(owner);
  const problems: FieldProblem[] = scopes
    .filter((scope) => !known.includes(scope))
    .map((scope) => ({ message: `is not a scope of a ${owner} key`, location: 'scopes', value: scope }));
  if (problems.length > 0) {
    const named = problems.map((problem) => problem.value).join(', ');
    refuse('unknown_scope', `Unknown scope: ${named}. Available for a ${owner} key: ${known.join(', ')}.`, problems);
  }
  return [...new Set(scopes)].sort();
}
