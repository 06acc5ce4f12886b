/** Node's flags for the services that tests start, filled by `checkedEvents`; empty where no test runs, as in a bench. */
export const flags: string[] = [];
