/** A type without the members that are undefined: what may be undefined may be absent instead. */
export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/**
 * The object without its members that are undefined: absent, not empty, so that equal histories give equal documents.
 * It is the same object where no member is undefined. Names are the program's own, not a customer's.
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
