/** Parses phone numbers from people and partners. All inputs use one of these two rules. */

import { formsOf } from '../domain/channel/phoneForms.js';
import { refuse } from '../domain/decider.js';

type Parser = typeof import('libphonenumber-js/min');

/** Maximum characters. Every notation of a number is far shorter. */
const MOST_CHARACTERS = 60;
/** Separators between digits, and invisible direction marks from copied numbers. */
const BETWEEN = /[\s().\-/\u2010-\u2015\u2212\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Has the length of the channel's own numbers. */
const E164 = /^[1-9]\d{6,14}$/;

/** Parses a number from a customer, who may write it as usual in the store's country. Undefined: not a number. */
export type ReadTyped = (text: string) => string | undefined;

export interface PhoneReader {
  /**
   * Returns a number with its country code, with or without `+` or `00` before it, in E.164 as the channel does. Undefined: not a possible
   * number. The lengths of its country's plan decide, not its ranges, since new ranges are used before they are known here. A number with
   * an extension is refused.
   */
  international(text: string): string | undefined;
  /** Returns a number of the shape of E.164 with an explicit country code, even if no plan allows it. */
  shaped(text: string): string | undefined;
  /**
   * Returns the rule for a number in a form of a store in `country` (ISO 3166-1). `own`: the customer's number on the channel, in E.164, or
   * ''. With `+` or `00` it is international. Other digits are, in this order: the customer's own number if the digits are equal; a valid
   * number of the country; a valid number with its country code; a number of a possible length in the country; one of a possible length
   * with its country code.
   */
  typedIn(country: string, own: string): ReadTyped;
}

/** Problem of a number that needs its country code. */
export const NOT_INTERNATIONAL = 'This is not a phone number with its country code, such as +252611234567.';

let reader: Promise<PhoneReader> | undefined;

/** Loads the parser when it is first needed, to save a fifteenth of a second at every start. */
export function phoneReader(): Promise<PhoneReader> {
  reader ??= import('libphonenumber-js/min').then(readerWith);
  return reader;
}

/** Returns the number in a request, in E.164. Refuses `validation_failed` with its location. */
export async function internationalAt(location: string, text: string): Promise<string> {
  const phone = (await phoneReader()).international(text);
  return (
    phone ?? refuse('validation_failed', NOT_INTERNATIONAL, [{ message: NOT_INTERNATIONAL, location, value: text }])
  );
}

/**
 * Returns the number by which a request searches for a customer. A number that fits no known plan is accepted if `isKnown` finds a customer
 * with it on the channel. Refuses `validation_failed` with its location.
 */
export async function searchedAt(
  location: string,
  text: string,
  isKnown: (phone: string) => Promise<boolean>,
): Promise<string> {
  const { international, shaped } = await phoneReader();
  const phone = international(text) === undefined ? shaped(text) : undefined;
  return phone !== undefined && (await isKnown(phone)) ? phone : internationalAt(location, text);
}

interface Written {
  readonly digits: string;
  /** True if it has an explicit country code. */
  readonly international: boolean;
}

function readerWith({ parsePhoneNumberFromString, parseDigits }: Parser): PhoneReader {
  /** Undefined: the text contains more than a number. */
  function written(text: string): Written | undefined {
    if (text.length > MOST_CHARACTERS) return undefined;
    const plain = text.replace(BETWEEN, '').replace(/\p{Nd}/gu, (digit) => parseDigits(digit));
    const [, prefix, digits = ''] = /^([+\uff0b]|00)?(\d+)$/.exec(plain) ?? [];
    return digits === '' ? undefined : { digits, international: prefix !== undefined };
  }

  const fromAbroad = (digits: string) =>
    digits.startsWith('0') ? undefined : parsePhoneNumberFromString(`+${digits}`, { extract: false });

  function e164(digits: string): string | undefined {
    const phone = `+${digits}`;
    const forms = formsOf(phone);
    const numbers = forms.map((form) => fromAbroad(form.slice(1)));
    if (!numbers.some((number) => number?.isPossible())) return undefined;
    // The channel still uses notations that the country has abandoned.
    return forms.length > 1 ? phone : numbers[0]!.number;
  }

  function isOwn(digits: string, own: string): boolean {
    if (own === '' || own === `+${digits}`) return own !== '';
    return formsOf(own).some((form) => {
      const national = fromAbroad(form.slice(1))?.nationalNumber;
      return form === `+${digits}` || national === digits || `0${national}` === digits;
    });
  }

  function typed(digits: string, country: string, own: string): string | undefined {
    if (isOwn(digits, own)) return own;
    const national = parsePhoneNumberFromString(digits, {
      defaultCountry: country.toUpperCase() as never,
      extract: false,
    });
    const numbers = [national, fromAbroad(digits)];
    const found = numbers.find((one) => one?.isValid()) ?? numbers.find((one) => one?.isPossible());
    return found?.number;
  }

  return {
    international(text) {
      const found = written(text);
      return found && e164(found.digits);
    },
    shaped(text) {
      const found = written(text);
      return found?.international && E164.test(found.digits) ? `+${found.digits}` : undefined;
    },
    typedIn: (country, own) => (text) => {
      const found = written(text);
      if (found === undefined) return undefined;
      return found.international ? e164(found.digits) : typed(found.digits, country, own);
    },
  };
}
