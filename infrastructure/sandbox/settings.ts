/** Settings that can be changed while the sandbox runs. */
import { record } from '../untypedJson.js';
import { WrongBody } from './bodyText.js';

const CHOICES = {
  /** Reports sent and delivered; failures are always reported. */
  statuses: [true, false],
  /** Applies the channel's rates: 80 messages a second per number, bursts of 45 to one customer and one in 6 s after. */
  rates: [true, false],
  /** Messages to a customer who never wrote here: templates only if closed. */
  unknownWindow: ['open', 'closed'],
  /** Review of templates: automatic after a short time, or manual. */
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
  const requested = Object.entries(record(body) ?? {});
  if (requested.length === 0) throw new WrongBody(`Give one of ${Object.keys(CHOICES).join(', ')}.`);
  for (const [name, value] of requested) {
    const choices = Object.hasOwn(CHOICES, name) ? (CHOICES[name as keyof typeof CHOICES] as readonly unknown[]) : [];
    if (!choices.includes(value))
      throw new WrongBody(
        choices.length === 0 ? `There is no setting ${name}.` : `${name} is one of ${choices.join(', ')}.`,
      );
  }
  Object.assign(settings, Object.fromEntries(requested));
}
