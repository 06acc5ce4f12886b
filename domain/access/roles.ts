/** Permissions of each role in a store. The specification names the roles, and this file decides their permissions. */
import type { Role } from './memberEvents.js';
import { WORKSPACE_SCOPES } from './scopes.js';

const AGENT = ['orders:view', 'orders:manage', 'inbox:reply', 'members:view', 'recordings:view'] as const;

/** Scopes by role. A session has those that its keys allow too. */
export const ROLE_SCOPES: Readonly<Record<Role, readonly (typeof WORKSPACE_SCOPES)[number][]>> = {
  owner: WORKSPACE_SCOPES,
  admin: WORKSPACE_SCOPES,
  supervisor: [...AGENT, 'commerce:manage', 'templates:manage'],
  agent: AGENT,
  viewer: ['orders:view', 'members:view', 'recordings:view'],
};

const OVERSEERS: ReadonlySet<Role> = new Set(['owner', 'admin', 'supervisor']);

/** Returns true if the role sees orders and conversations of every team, not only of the member's own teams. */
export const seesEveryTeam = (role: Role): boolean => OVERSEERS.has(role);
