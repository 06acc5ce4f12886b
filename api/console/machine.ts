/** Projections and processors: how far they are, and what an operator does about it, by the names of the command line. */
import { defined } from '../../domain/defined.js';
import { refused } from './commands.js';
import { type ConsoleOperation, consoleAct, consoleChange, consoleRead, EVERYTHING, OPERATOR } from './request.js';

/** Runs a command of the operator by its name. Refuses as the command does. */
export type Execute = (command: string, input: object) => Promise<object>;

export const machineOperations = (run: Execute): readonly ConsoleOperation[] =>
  operationsOf(async (command, input) => run(command, input).catch(refused));

const operationsOf = (execute: Execute): readonly ConsoleOperation[] => [
  consoleRead({
    id: 'console.getMachine',
    path: '/machine',
    roles: EVERYTHING,
    async answer() {
      const [projections, processors] = await Promise.all([
        execute('projections.status', {}),
        execute('processors.status', {}),
      ]);
      return { ...projections, ...processors } as never;
    },
  }),
  consoleChange({
    id: 'console.rebuildProjection',
    path: '/projections/{name}/rebuild',
    roles: OPERATOR,
    answer: async ({ params }) => void (await execute('projections.rebuild', { name: params.name })),
  }),
  consoleChange({
    id: 'console.skipProjectionEvent',
    path: '/projections/{name}/skip',
    roles: OPERATOR,
    answer: async ({ params, body }) =>
      void (await execute('projections.skip', { name: params.name, event: body.event, reason: body.reason })),
  }),
  consoleChange({
    id: 'console.skipProcessorEvent',
    path: '/processors/{name}/skip',
    roles: OPERATOR,
    answer: async ({ params, body }) =>
      void (await execute('processors.skip', { name: params.name, event: body.event, reason: body.reason })),
  }),
  consoleRead({
    id: 'console.listProcessorTasks',
    path: '/processors/{name}/tasks',
    roles: EVERYTHING,
    answer: async ({ params }) => (await execute('processors.tasks', { name: params.name })) as never,
  }),
  consoleAct({
    id: 'console.retryProcessor',
    path: '/processors/{name}/retry',
    roles: OPERATOR,
    async answer({ params, body: { task, since } }) {
      const answer = await execute('processors.retry', { name: params.name, ...defined({ task, since }) });
      return { answer: answer as never };
    },
  }),
];
