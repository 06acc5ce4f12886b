/** Members of a store for specs: an owner, an agent and a viewer, all active; and their teams. */
import type { MemberEvent, NewMember, RingPlace, TeamTerms } from '../../../domain/access/memberEvents.js';

const person = (digit: number, name: string, role: NewMember['role']): NewMember & { email: string } => ({
  memberId: `a0000000-0000-4000-8000-00000000000${digit}`,
  userId: `b0000000-0000-4000-8000-00000000000${digit}`,
  email: `${name.toLowerCase()}@example.com`,
  name,
  role,
  status: 'active',
});

export const ASHA = person(1, 'Asha', 'owner');
export const BILE = person(2, 'Bile', 'agent');
export const CIRO = person(3, 'Ciro', 'viewer');

export const memberAdded = (data: NewMember): MemberEvent => ({ type: 'MemberAdded', data });

export const teamTerms = (name: string, members: readonly RingPlace[]): TeamTerms => ({
  name,
  color: 'chart-1',
  members,
  queue: { strategy: 'all', ringTimeoutSeconds: 30, maxWaitSeconds: 300, secondsPerPerson: 20 },
  workingHours: null,
});

export const teamCreated = (
  teamId: string,
  name: string,
  members: readonly RingPlace[],
  isDefault = true,
): MemberEvent => ({ type: 'TeamCreated', data: { teamId, isDefault, ...teamTerms(name, members) } });
