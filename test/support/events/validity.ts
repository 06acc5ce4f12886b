/** Checks data against an event's schema, without extra fields. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { EventDefinition } from '../../../domain/storedEvents.js';

const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { 'date-time': fullFormats['date-time'] } });

/** Closes a schema: a reader ignores fields of later versions, but a writer may not add unknown ones. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return 'properties' in inner ? { additionalProperties: false, ...inner } : inner;
}

const compiled = new WeakMap<object, ValidateFunction>();

/** Returns the validation errors; undefined if there are none. Checks the data as JSON stores them. */
export function invalid(schema: object, data: unknown): string | undefined {
  const validate = compiled.get(schema) ?? ajv.compile(closed(schema) as object);
  compiled.set(schema, validate);
  if (validate(JSON.parse(JSON.stringify(data)))) return undefined;
  return ajv.errorsText(validate.errors, { dataVar: 'data' });
}

/** Throws an error with the problem and its fix if the data do not match the schema. */
export function checkData(type: string, { data: schema }: EventDefinition, data: unknown): void {
  const wrong = invalid(schema, data);
  if (wrong !== undefined)
    throw new Error(`${type} was appended with data that its schema does not know: ${wrong}. Mend one of the two.`);
}
