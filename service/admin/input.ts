import { type FieldProblem, refuse } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';

/** Reads a command's input (JSON of unknown shape) field by field and gathers what is wrong with it. */
export class Fields {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #problems: FieldProblem[] = [];

  constructor(input: unknown) {
    const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
    this.#values = isObject ? (input as Record<string, unknown>) : {};
    if (!isObject) this.#problems.push({ message: 'must be an object' });
  }

  value(name: string): unknown {
    return this.#values[name];
  }

  /** Notes when it is left out. */
  present(name: string): void {
    if (this.#values[name] === undefined) this.problem(name, 'is required');
  }

  text(name: string): string {
    this.present(name);
    return this.optionalText(name) ?? '';
  }

  optionalText(name: string): string | undefined {
    const value = this.#values[name];
    if (value === undefined) return undefined;
    if (typeof value === 'string' && value !== '') return value;
    this.problem(name, 'must be a string that is not empty', value);
    return undefined;
  }

  oneOf<T extends string>(name: string, values: readonly T[], otherwise?: T): T {
    const value = this.#values[name] ?? otherwise;
    const found = values.find((known) => known === value);
    if (found === undefined) this.problem(name, `must be one of ${values.join(', ')}`, value);
    return found ?? values[0]!;
  }

  optionalOneOf<T extends string>(name: string, values: readonly T[]): T | undefined {
    return this.optionalText(name) === undefined ? undefined : this.oneOf(name, values);
  }

  texts(name: string): readonly string[] {
    const value = this.#values[name] ?? [];
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
    this.problem(name, 'must be a list of strings');
    return [];
  }

  objects(name: string): readonly Readonly<Record<string, unknown>>[] {
    const value = this.#values[name] ?? [];
    if (Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null)) return value;
    this.problem(name, 'must be a list of objects');
    return [];
  }

  /** Only one of the two may be given; with `required`, exactly one. */
  either(one: string, other: string, required: boolean): void {
    const given = [one, other].filter((name) => this.#values[name] !== undefined).length;
    if (given > 1) this.problem(one, `must not be given together with ${other}`);
    if (given === 0 && required) this.problem(one, `or ${other} is required`);
  }

  problem(location: string, message: string, value?: unknown): void {
    this.#problems.push({ location, message, ...defined({ value }) });
  }

  /** Refuses `validation_failed` with every problem found. */
  check(): void {
    if (this.#problems.length > 0) refuseInput(this.#problems);
  }
}

export function refuseInput(problems: readonly FieldProblem[]): never {
  const reported = problems.map(({ location, message }) => `${location ?? 'input'} ${message}`).join('; ');
  return refuse('validation_failed', `${reported}.`, problems);
}
