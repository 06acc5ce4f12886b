/**
 * Errors for a read model of another instance. Threads and the board pass on only the message of an error, so the
 * messages are both created and recognised here.
 */
const NOT_RUN = 'no instance runs the projection ';
const RUN_BY = ' is run by the instance ';
const MANAGED_BY = ' are managed by another instance ';

/** No instance runs it at the moment: its owner has ended, and the next has not begun. */
export const notRun = (name: string): Error =>
  new Error(`${NOT_RUN}'${name}' at the moment. Try again in a few seconds.`);

/** `owner`: instance that runs it. */
export const runBy = (name: string, owner: string): Error =>
  new Error(`'${name}'${RUN_BY}'${owner}'. Send the request to that instance.`);

/** The read model is partitioned, and another instance manages its builds. */
export const managedBy = (name: string): Error =>
  new Error(`the builds of '${name}'${MANAGED_BY}at the moment. Try again.`);

/** Returns true if an operation failed because another instance, or none at the moment, runs the read model. */
export const isElsewhere = (error: unknown): boolean =>
  error instanceof Error && [NOT_RUN, RUN_BY, MANAGED_BY].some((words) => error.message.includes(words));
