/** What can be changed while the sandbox runs. */
import { record } from '../untypedJson.js';
import { WrongBody } from './bodyText.js';

const CHOICES = {
  /** Whether sent and delivered are reported; failures always are. */
  statuses: [true, false],
  /** Whether the channel's rates hold: 80 messages a second a number, bursts of 45 to one customer and one in 6 s after. */
  rates: [true, false],
  /** Whether a customer who never wrote here takes more than templates. */
  unknownWindow: ['open', 'closed'],
  /** Whether templates are decided on by themselves after a short time, or by hand alone. */
  templateReview: ['automatic', 'manual'],
} as const;

export type SandboxSettings = {
  -readonly [Name in keyof typeof CHOICES]: (typeof CHOICES)[Name][number];
};

export const defaultSettings = (statuses: boolean): SandboxSettings => ({
  statuses,
  rates: false,
  unknownWindow: 'open',
  templateReview: 'automatic',
});

/** Changes what the body names. Throws `WrongBody`, and changes nothing then. */
export function changeSettings(settings: SandboxSettings, body: unknown): void {
  const wanted = Object.entries(record(body) ?? {});
  if (wanted.length === 0) throw new WrongBody(`Give one of ${Object.keys(CHOICES).join(', ')}.`);
  for (const [name, value] of wanted) {
    const choices = Object.hasOwn(CHOICES, name) ? (CHOICES[name as keyof typeof CHOICES] as readonly unknown[]) : [];
    if (!choices.includes(value))
      throw new WrongBody(
        choices.length === 0 ? `There is no setting ${name}.` : `${name} is one of ${choices.join(', ')}.`,
      );
  }
  Object.assign(settings, Object.fromEntries(wanted));
}
