/** Reads parts of JSON from outside, of whatever shape they are. */
import { isJsonObject, type JsonObject } from '../domain/jsonObject.js';

export const record = (value: unknown): JsonObject | undefined => (isJsonObject(value) ? value : undefined);
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export function finite(value: unknown, least: number, most: number): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && number >= least && number <= most ? number : undefined;
}
