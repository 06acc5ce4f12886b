import type { Operation } from '../../contract/operation.js';
import { createConsoleLink } from './createConsoleLink.js';
import { createMemberLink } from './createMemberLink.js';

export const consoleLinkOperations: readonly Operation[] = [createConsoleLink, createMemberLink];
