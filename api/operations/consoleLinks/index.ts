import type { Operation } from '../../contract/operation.js';
import { createConsoleLink } from './createConsoleLink.js';

export const consoleLinkOperations: readonly Operation[] = [createConsoleLink];
