/**
 * The forms in which one customer number is written. The channel has its own form of a number in some countries (`wa_id`), and goes
 * on using the number of an old numbering plan. Which form it reports differs between a send response, a status and a message.
 */

interface Plan {
  /** A number of the plan in force. */
  readonly current: RegExp;
  /** The other form of such a number; undefined: it has none. */
  readonly other: (digits: string) => string | undefined;
  /** The same number in the other form. */
  readonly old: RegExp;
  readonly renewed: (digits: string) => string;
}

/** Mobile operators of Côte d'Ivoire by the second digit of an old number: the new numbers begin with this. */
const OPERATORS = ['01', '01', '01', '01', '05', '05', '05', '07', '07', '07'];
const ivorian = (old: string): string => `225${OPERATORS[Number(old[4])]}${old.slice(3)}`;

const PLANS: readonly Plan[] = [
  // Mexico gave up the 1 of mobile numbers in 2019.
  {
    current: /^52[2-9]\d{9}$/,
    other: (digits) => `521${digits.slice(2)}`,
    old: /^521[2-9]\d{9}$/,
    renewed: (digits) => `52${digits.slice(3)}`,
  },
  // Brazil put a 9 before mobile numbers; without it they begin with 6 to 9.
  {
    current: /^55[1-9]\d9[6-9]\d{7}$/,
    other: (digits) => digits.slice(0, 4) + digits.slice(5),
    old: /^55[1-9]\d[6-9]\d{7}$/,
    renewed: (digits) => `${digits.slice(0, 4)}9${digits.slice(4)}`,
  },
  // Argentina's mobile numbers have a 9 behind the country code when they are called from abroad.
  {
    current: /^549[1-8]\d{9}$/,
    other: (digits) => `54${digits.slice(3)}`,
    old: /^54[1-8]\d{9}$/,
    renewed: (digits) => `549${digits.slice(2)}`,
  },
  // Benin put 01 before all numbers in 2024.
  {
    current: /^22901\d{8}$/,
    other: (digits) => `229${digits.slice(5)}`,
    old: /^229\d{8}$/,
    renewed: (digits) => `22901${digits.slice(3)}`,
  },
  // Côte d'Ivoire put the operator's two digits before mobile numbers in 2021.
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

/** Every form of a number in E.164, that of the plan in force first: the same list for each of them. */
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
