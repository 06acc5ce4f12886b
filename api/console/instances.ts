/** What runs: `suuq status`, as the command answers it. */
import type { ConsoleStatusBody } from './contract.js';
import type { Execute } from './machine.js';
import { type ConsoleOperation, consoleRead, EVERYTHING } from './request.js';

export const instanceOperations = (execute: Execute): readonly ConsoleOperation[] => [
  consoleRead({
    id: 'console.getStatus',
    path: '/status',
    roles: EVERYTHING,
    answer: async () => (await execute('status', {})) as ConsoleStatusBody,
  }),
];
