/** The instances and their settings: the answers of `suuq status` and `suuq settings`. */
import type { ConsoleSettingsBody, ConsoleStatusBody } from './contract.js';
import type { Execute } from './machine.js';
import { type ConsoleOperation, consoleRead, EVERYTHING } from './request.js';

export const instanceOperations = (execute: Execute): readonly ConsoleOperation[] => [
  consoleRead({
    id: 'console.getStatus',
    path: '/status',
    roles: EVERYTHING,
    answer: async () => (await execute('status', {})) as ConsoleStatusBody,
  }),
  consoleRead({
    id: 'console.getSettings',
    path: '/settings',
    roles: EVERYTHING,
    answer: async () => (await execute('settings', {})) as ConsoleSettingsBody,
  }),
];
