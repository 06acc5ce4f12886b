/** Without the members that are undefined: absent, not empty, so that equal histories give equal documents. */
export const present = <T extends object>(members: T): T =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
