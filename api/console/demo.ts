/** The keys of the demo, with which the documentation's pages try operations. */
import type { ConsoleDemoBody } from './contract.js';
import { type ConsoleOperation, consoleRead, notFound, OPERATOR } from './request.js';

/** For the operator alone, who can read them in the data folder and make others. Refuses `not_found` where there is no demo. */
export const demoOperations = (demo: (() => ConsoleDemoBody | undefined) | undefined): readonly ConsoleOperation[] => [
  consoleRead({
    id: 'console.getDemo',
    path: '/demo',
    roles: OPERATOR,
    silent: true,
    answer: async () => demo?.() ?? notFound('demo'),
  }),
];
