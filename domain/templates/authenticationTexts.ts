/** Templates for one-time codes, whose texts the provider writes. (The provider's rules; specification 2, 'Definition'.) */

import type {
  Report,
  TemplateBodyPart,
  TemplateButton,
  TemplateDefinition,
  TemplateFooter,
} from './templateDefinition.js';
import { lengthOf } from './textVariables.js';

const STANDARD = '*{{1}}* is your verification code.';
const SECURITY = ' For your security, do not share this code.';
const OTP_TEXT = 25;

/** Returns the body's text: the provider's own, in the template's language, once it is known. Until then its English text. */
export function authenticationText(body: TemplateBodyPart, current: TemplateBodyPart | undefined): string {
  const recommends = body.addSecurityRecommendation === true;
  const same = recommends === (current?.addSecurityRecommendation === true);
  if (same && current?.text !== undefined) return current.text;
  return recommends ? STANDARD + SECURITY : STANDARD;
}

/** Returns the footer, with the provider's text once it is known. */
export function authenticationFooter(footer: TemplateFooter, current: TemplateFooter | undefined): TemplateFooter {
  const minutes = footer.codeExpirationMinutes ?? 0;
  const known = current?.codeExpirationMinutes === minutes ? current.text : undefined;
  return { text: known ?? `This code expires in ${minutes} minutes.`, codeExpirationMinutes: minutes };
}

/** Checks that only a security sentence, an expiry and one button for the code are chosen. */
export function authenticationProblems(
  { header, body, footer, buttons = [] }: TemplateDefinition,
  current: TemplateDefinition | undefined,
  report: Report,
): void {
  if (header !== undefined) report('header', 'An authentication template has no header.');
  if (body.text !== undefined && body.text !== current?.body.text)
    report('body.text', 'The provider writes the text of an authentication template. Remove it.', body.text);
  if ((body.examples?.length ?? 0) > 0) report('body.examples', 'An authentication template must not have examples.');
  if (footer?.text !== undefined && footer.text !== current?.footer?.text)
    report('footer.text', 'The provider writes the footer. Only set codeExpirationMinutes.', footer.text);
  if (footer !== undefined && footer.codeExpirationMinutes === undefined)
    report('footer.codeExpirationMinutes', 'The footer of an authentication template says when the code expires.');
  const [button] = buttons;
  if (button?.type !== 'otp' || buttons.length > 1)
    report('buttons', 'An authentication template has exactly one button, of the type otp.');
  else otpProblems(button, report);
}

function otpProblems(button: TemplateButton, report: Report): void {
  if (button.text !== undefined && (button.text.trim() === '' || lengthOf(button.text) > OTP_TEXT))
    report('buttons[0].text', `Between 1 and ${OTP_TEXT} characters.`, button.text);
  for (const field of ['url', 'phoneNumber', 'example'] as const)
    if (button[field] !== undefined) report(`buttons[0].${field}`, 'A button of the type otp has none.', button[field]);
}
