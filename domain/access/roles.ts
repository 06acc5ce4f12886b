/** What a role may do in a store. The specification names the roles; which permissions each has is decided here. */
import type { Role } from './memberEvents.js';
import { WORKSPACE_SCOPES } from './scopes.js';

const AGENT = ['orders:view', 'orders:manage', 'inbox:reply', 'members:view', 'recordings:view'] as const;

/** Scopes by role; a session has of these what its keys allow. */
export const ROLE_SCOPES: Readonly<Record<Role, readonly (typeof WORKSPACE_SCOPES)[number][]>> = {
  owner: WORKSPACE_SCOPES,
  admin: WORKSPACE_SCOPES,
  supervisor: [...AGENT, 'commerce:manage', 'templates:manage'],
  agent: AGENT,
  viewer: ['orders:view', 'members:view', 'recordings:view'],
};

const OVERSEERS: ReadonlySet<Role> = new Set(['owner', 'admin', 'supervisor']);

/** Whether orders and conversations of every team are shown, not only of the member's own. */
export const seesEveryTeam = (role: Role): boolean => OVERSEERS.has(role);
