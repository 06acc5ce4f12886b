/** Appearance of a partner's embedded screens. (Specification 1, 'SDK session creation', `appearance`.) */
import { type FieldProblem, refuse } from '../decider.js';
import type { Appearance } from './partnerEvents.js';

export const FONTS = ['ibm_plex_sans', 'inter', 'system'] as const;
export const COLOR_MODES = ['light', 'dark', 'auto'] as const;
/** In pixels. */
export const MOST_RADIUS = 24;

/** Default appearance: the user's font and colour mode, and a teal with enough contrast to white. */
export const DEFAULT_APPEARANCE: Appearance = {
  primaryColor: '#0F766E',
  radius: 8,
  font: 'system',
  colorMode: 'auto',
};

/** Returns the appearance with the colour in capitals. Refuses `validation_failed` with every problem. */
export function checkedAppearance(requested: Appearance): Appearance {
  const { primaryColor, radius, font, colorMode } = requested;
  const problems: FieldProblem[] = [];
  if (!/^#[0-9A-Fa-f]{6}$/.test(primaryColor))
    problems.push({ message: 'must be a colour such as #0F766E', location: 'primaryColor', value: primaryColor });
  if (!Number.isInteger(radius) || radius < 0 || radius > MOST_RADIUS)
    problems.push({ message: `must be a whole number from 0 to ${MOST_RADIUS}`, location: 'radius', value: radius });
  if (!FONTS.includes(font))
    problems.push({ message: `must be one of ${FONTS.join(', ')}`, location: 'font', value: font });
  if (!COLOR_MODES.includes(colorMode))
    problems.push({ message: `must be one of ${COLOR_MODES.join(', ')}`, location: 'colorMode', value: colorMode });
  if (problems.length > 0) refuse('validation_failed', 'The appearance is not valid.', problems);
  return { primaryColor: primaryColor.toUpperCase(), radius, font, colorMode };
}
