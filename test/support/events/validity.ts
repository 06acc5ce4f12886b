/** Whether data are what an event's schema says, with no field beside. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { EventDefinition } from '../../../domain/storedEvents.js';

const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { 'date-time': fullFormats['date-time'] } });

/** The same, with fields closed: a reader of today does not mind a field of tomorrow, but a writer may not invent one. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return 'properties' in inner ? { additionalProperties: false, ...inner } : inner;
}

const compiled = new WeakMap<object, ValidateFunction>();

/** What is wrong; undefined when nothing is. Data are looked at as JSON stores them. */
export function invalid(schema: object, data: unknown): string | undefined {
  const validate = compiled.get(schema) ?? ajv.compile(closed(schema) as object);
  compiled.set(schema, validate);
  if (validate(JSON.parse(JSON.stringify(data)))) return undefined;
  return ajv.errorsText(validate.errors, { dataVar: 'data' });
}

/** Throws with a sentence that says what to do. */
export function checkData(type: string, { data: schema }: EventDefinition, data: unknown): void {
  const wrong = invalid(schema, data);
  if (wrong !== undefined)
    throw new Error(`${type} was appended with data that its schema does not know: ${wrong}. Mend one of the two.`);
}
