/** Reads telephone numbers that people and partners write. Two rules, and all that takes a number uses one of them. */

import { formsOf } from '../domain/channel/phoneForms.js';
import { refuse } from '../domain/decider.js';

type Parser = typeof import('libphonenumber-js/min');

/** Longer texts are no numbers: the longest way to write one is far below. */
const MOST_CHARACTERS = 60;
/** What people put between digits, and the invisible marks of direction that come along when a number is copied. */
const BETWEEN = /[\s().\-/\u2010-\u2015\u2212\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** As long as the channel's own numbers. */
const E164 = /^[1-9]\d{6,14}$/;

/** How a customer's number is read who may write it as people of the store's country do. Undefined: it is no number. */
export type ReadTyped = (text: string) => string | undefined;

export interface PhoneReader {
  /**
   * A number with its country code, in E.164 as the channel names its customers: with or without `+` or `00` before it.
   * Undefined when it can be none. Judged by the lengths that its country's plan allows, not by its ranges: new ranges come
   * into use before they are known here. A number with an extension is none of a customer.
   */
  international(text: string): string | undefined;
  /** What has the shape of E.164 and says that it begins with a country code, whether or not a plan allows it. */
  shaped(text: string): string | undefined;
  /**
   * The rule for what a customer types into a form of a store in `country` (ISO 3166-1). `own`: the customer's number on
   * the channel, in E.164, or ''. With `+` or `00` it is international. Other digits are, in this order: the customer's own
   * number when they are its digits; what fits the plan of the country; what fits the plan of the country code that they
   * begin with; what has a possible length in the country; what has one with the country code.
   */
  typedIn(country: string, own: string): ReadTyped;
}

/** What is wrong with a number that has to bear its country code. */
export const NOT_INTERNATIONAL = 'This is not a phone number with its country code, such as +252611234567.';

let reader: Promise<PhoneReader> | undefined;

/** Loaded when it is first needed: it would take a fifteenth of a second of every start. */
export function phoneReader(): Promise<PhoneReader> {
  reader ??= import('libphonenumber-js/min').then(readerWith);
  return reader;
}

/** The number of a request, in E.164. Refuses `validation_failed` with its place. */
export async function internationalAt(location: string, text: string): Promise<string> {
  const phone = (await phoneReader()).international(text);
  return (
    phone ?? refuse('validation_failed', NOT_INTERNATIONAL, [{ message: NOT_INTERNATIONAL, location, value: text }])
  );
}

/**
 * The number by which a request looks for a customer: also one that fits no known plan, where `isKnown` has a customer with it on
 * the channel. Refuses `validation_failed` with its place.
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
  /** Whether it says itself that it begins with a country code. */
  readonly international: boolean;
}

function readerWith({ parsePhoneNumberFromString, parseDigits }: Parser): PhoneReader {
  /** Undefined: there is more in it than one number. */
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
    // The channel goes on using forms that the country gave up.
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
