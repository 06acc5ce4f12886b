import type { Operation } from '../../contract/operation.js';
import { getTeam } from './getTeam.js';
import { listMembers } from './listMembers.js';
import { listTeams } from './listTeams.js';

export const memberOperations: readonly Operation[] = [listMembers, listTeams, getTeam];
