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
  // Beyond the specification: for who looks over a store.
  'history:view',
  // And for who lets people into the console, where all of the store is seen.
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

/** A partner's key acts in the partner's stores too, so it may hold both kinds; a store's key only its own. */
const scopesFor = (owner: KeyOwner): readonly string[] =>
  owner === 'partner' ? [...PARTNER_SCOPES, ...WORKSPACE_SCOPES] : WORKSPACE_SCOPES;

/**
 * The scopes sorted and without repeats. Refuses with `unknown_scope`, and lists the known ones, when one is not for
 * this owner.
 */
export function checkedScopes(owner: KeyOwner, scopes: readonly string[]): readonly string[] {
  const known = scopesFor(owner);
  const problems: FieldProblem[] = scopes
    .filter((scope) => !known.includes(scope))
    .map((scope) => ({ message: `no scope of a ${owner}'s key`, location: 'scopes', value: scope }));
  if (problems.length > 0) {
    const named = problems.map((problem) => problem.value).join(', ');
    refuse('unknown_scope', `Unknown scope: ${named}. A ${owner}'s key may have: ${known.join(', ')}.`, problems);
  }
  return [...new Set(scopes)].sort();
}
