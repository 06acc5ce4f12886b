/**
 * Different notations of the same customer number. In some countries the channel has its own notation (`wa_id`), or still uses an old
 * numbering plan. Send responses, statuses and messages may use different ones.
 */

interface Plan {
  /** Matches a number of the current plan. */
  readonly current: RegExp;
  /** Returns the other notation of such a number, or undefined if there is none. */
  readonly other: (digits: string) => string | undefined;
  /** Matches the same number in the other notation. */
  readonly old: RegExp;
  readonly renewed: (digits: string) => string;
}

/** Mobile operators of Côte d'Ivoire, by the second digit of an old number. New numbers begin with this prefix. */
const OPERATORS = ['01', '01', '01', '01', '05', '05', '05', '07', '07', '07'];
const ivorian = (old: string): string => `225${OPERATORS[Number(old[4])]}${old.slice(3)}`;

const PLANS: readonly Plan[] = [
  // Mexico dropped the 1 of mobile numbers in 2019.
  {
    current: /^52[2-9]\d{9}$/,
    other: (digits) => `521${digits.slice(2)}`,
    old: /^521[2-9]\d{9}$/,
    renewed: (digits) => `52${digits.slice(3)}`,
  },
  // Brazil added a 9 before mobile numbers. Without it they begin with 6 to 9.
  {
    current: /^55[1-9]\d9[6-9]\d{7}$/,
    other: (digits) => digits.slice(0, 4) + digits.slice(5),
    old: /^55[1-9]\d[6-9]\d{7}$/,
    renewed: (digits) => `${digits.slice(0, 4)}9${digits.slice(4)}`,
  },
  // Argentina's mobile numbers have a 9 after the country code when called from abroad.
  {
    current: /^549[1-8]\d{9}$/,
    other: (digits) => `54${digits.slice(3)}`,
    old: /^54[1-8]\d{9}$/,
    renewed: (digits) => `549${digits.slice(2)}`,
  },
  // Benin added 01 before all numbers in 2024.
  {
    current: /^22901\d{8}$/,
    other: (digits) => `229${digits.slice(5)}`,
    old: /^229\d{8}$/,
    renewed: (digits) => `22901${digits.slice(3)}`,
  },
  // Côte d'Ivoire added the operator's two digits before mobile numbers in 2021.
  {
    current: /^2250[157]\d{8}$/,
    other(digits) {
      const old = `225${digits.slice(5)}`;
      return ivorian(old) === digits ? old : undefined;
    },
    old: /^225\d{8}$/,
    renewed: ivorian,
  },
];

/** Returns every notation of a number in E.164, the current plan's first. The list is the same for each of its members. */
export function formsOf(phone: string): readonly string[] {
  const digits = phone.slice(1);
  for (const { current, other, old, renewed } of PLANS) {
    const now = old.test(digits) ? renewed(digits) : digits;
    if (!current.test(now)) continue;
    const before = other(now);
    return before === undefined ? [`+${now}`] : [`+${now}`, `+${before}`];
  }
  return [phone];
}
