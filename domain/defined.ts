/** A type in which members that may be undefined are optional. */
export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/**
 * Returns the object without its undefined members, so that equal histories give equal documents. Returns the same object if no member is
 * undefined. Member names must be the program's own, not a customer's.
 */
export function defined<T extends object>(members: T): Defined<T> {
  for (const name in members) if (members[name] === undefined) return copied(members) as Defined<T>;
  return members as Defined<T>;
}

function copied<T extends object>(members: T): object {
  const left: Partial<T> = {};
  for (const name in members) if (members[name] !== undefined) left[name] = members[name];
  return left;
}
