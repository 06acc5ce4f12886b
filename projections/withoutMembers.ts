/** A copy that lacks these members. Not by `delete`: what is made of such a copy is slower at everything that follows. */
export function without<T extends object, K extends keyof T>(value: T, ...names: readonly K[]): Omit<T, K> {
  const copy: Partial<T> = {};
  for (const key of Object.keys(value) as (keyof T)[])
    if (!(names as readonly (keyof T)[]).includes(key)) copy[key] = value[key];
  return copy as Omit<T, K>;
}
