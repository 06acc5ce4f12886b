/**
 * What is said of a read model that another instance has. Over a thread and over the board an error keeps its words alone, so
 * they are both made and known here.
 */
const NOT_RUN = 'no instance runs ';
const RUN_BY = ' is run by the instance ';
const KEPT_BY = ' are kept by another instance ';

/** Nobody has it at this moment: its owner has ended, and the next has not begun. */
export const notRun = (name: string): Error => new Error(`${NOT_RUN}'${name}' just now; try again in some seconds`);

/** `owner`: the instance that has it. */
export const runBy = (name: string, owner: string): Error => new Error(`'${name}'${RUN_BY}'${owner}'; ask that one`);

/** Its documents are parted, and who begins builds of it is another. */
export const keptBy = (name: string): Error => new Error(`the builds of '${name}'${KEPT_BY}now; try again`);

/** Whether a read model could not be asked for here since another instance has it, or nobody just now. */
export const isElsewhere = (error: unknown): boolean =>
  error instanceof Error && [NOT_RUN, RUN_BY, KEPT_BY].some((words) => error.message.includes(words));
