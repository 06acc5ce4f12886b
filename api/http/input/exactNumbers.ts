/** Numbers of a JSON text that no number of JavaScript holds: read, they would be others. */
import type { FieldProblem } from '../../../domain/decider.js';
import { badNumber } from './text.js';

/** Strings, which are skipped, and numbers. */
export const JSON_PARTS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** Such a number has many digits or an exponent, and no quotation mark before it. */
export const SUSPICIOUS_NUMBER = /(?:^|[:,[\s])-?(?:[\d.]{16}|\d[\d.]*[eE])/;

/** Digits and exponent of a decimal number, which are the same for every way to write it. */
export function canonicalNumber(text: string): string {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const shortest = digits.replace(/0+$/, '');
  if (shortest === '') return '0';
  return `${sign}${shortest}e${Number(exponent) - fraction.length + digits.length - shortest.length}`;
}

/** Numbers too large for a double or a safe integer are refused by the schemas, at their place. */
function isExact(text: string): boolean {
  const value = Number(text);
  return Math.abs(value) > Number.MAX_SAFE_INTEGER || canonicalNumber(String(value)) === canonicalNumber(text);
}

/**
 * Returns the problem of the numbers of a body, without their places, which the text does not give. At most one
 * problem.
 */
export function inexactNumbers(text: string): FieldProblem[] {
  for (const [part] of text.matchAll(JSON_PARTS))
    if (!part.startsWith('"') && !isExact(part))
      return [{ message: badNumber(part.slice(0, 40)), location: 'body', value: part.slice(0, 40) }];
  return [];
}
