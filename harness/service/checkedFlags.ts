/** Node's flags for the services that tests start, filled by `checkedEvents`; empty where no test runs, as in a bench. */
export const flags: string[] = [];

/** Node's flags for the commands that tests run: they watch over the files of databases. */
export const guardFlags: readonly string[] = ['--import', new URL('./databaseGuard.js', import.meta.url).href];
