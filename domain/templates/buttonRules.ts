/** The provider's rules for buttons: fields of each kind, maximum numbers, and order. */
import { isWebUrl } from '../urls.js';
import type { Report, TemplateButton, TemplateButtonType } from './templateDefinition.js';
import { lengthOf, variablesIn } from './textVariables.js';

const BUTTON_TEXT = 25;
export const URL_TEXT = 2_000;
/** Maximum length of the code that the button copies. */
export const CODE_TEXT = 15;
/** Excludes the request for call permission, which is a separate part at the provider. */
const MOST_BUTTONS = 10;
const MOST_OF: Readonly<Partial<Record<TemplateButtonType, number>>> = {
  url: 2,
  phone_number: 1,
  copy_code: 1,
  voice_call_request: 1,
};
const PHONE = /^\+?[1-9][0-9]{6,14}$/;

type Field = 'text' | 'url' | 'phoneNumber' | 'example';
/** Fields of each kind, and those that are required. */
const FIELDS: Readonly<
  Record<TemplateButtonType, { readonly needs: readonly Field[]; readonly has: readonly Field[] }>
> = {
  quick_reply: { needs: ['text'], has: ['text'] },
  url: { needs: ['text', 'url'], has: ['text', 'url', 'example'] },
  phone_number: { needs: ['text', 'phoneNumber'], has: ['text', 'phoneNumber'] },
  copy_code: { needs: ['example'], has: ['text', 'example'] },
  otp: { needs: [], has: ['text'] },
  voice_call_request: { needs: [], has: [] },
};

/** Returns true if the button's URL ends with a variable that is filled in when sending. */
export const hasUrlVariable = ({ type, url = '' }: TemplateButton): boolean => type === 'url' && url.endsWith('{{1}}');

/** Returns the digits of a number with its country code, in the provider's format. */
export const dialled = (phone: string): string => phone.replace(/[\s().-]/g, '').replace(/^00/, '+');

export function buttonProblems(buttons: readonly TemplateButton[], report: Report): void {
  buttons.forEach((button, at) => {
    fieldProblems(button, `buttons[${at}]`, report);
    if (button.type === 'otp')
      report(`buttons[${at}].type`, 'Only authentication templates can have otp buttons.', button.type);
    if (button.type === 'url') urlProblems(button, `buttons[${at}]`, report);
  });
  countProblems(buttons, report);
  orderProblems(buttons, report);
}

function fieldProblems(button: TemplateButton, place: string, report: Report): void {
  const { needs, has } = FIELDS[button.type];
  for (const field of ['text', 'url', 'phoneNumber', 'example'] as const) {
    const value = button[field];
    if (value === undefined) {
      if (needs.includes(field)) report(`${place}.${field}`, `Required for a button of the type ${button.type}.`);
    } else if (!has.includes(field))
      report(`${place}.${field}`, `Not allowed for a button of the type ${button.type}.`, value);
    else if (value.trim() === '') report(`${place}.${field}`, 'The text must not be empty.', value);
  }
  valueProblems(button, place, report);
}

function valueProblems({ type, text, phoneNumber, example }: TemplateButton, place: string, report: Report): void {
  if (text !== undefined && lengthOf(text) > BUTTON_TEXT)
    report(`${place}.text`, `At most ${BUTTON_TEXT} characters.`, text);
  if (text !== undefined && /[\r\n\t]|\{\{|\}\}/.test(text))
    report(`${place}.text`, 'The text of a button is one line without variables.', text);
  if (type === 'phone_number' && phoneNumber !== undefined && !PHONE.test(dialled(phoneNumber)))
    report(`${place}.phoneNumber`, 'A telephone number with its country code, such as +252611234567.', phoneNumber);
  if (type === 'copy_code' && example !== undefined && !/^[A-Za-z0-9]+$/.test(example))
    report(`${place}.example`, 'A code has letters and digits only.', example);
  if (type === 'copy_code' && example !== undefined && lengthOf(example) > CODE_TEXT)
    report(`${place}.example`, `A code has at most ${CODE_TEXT} characters.`, example);
}

function urlProblems(button: TemplateButton, place: string, report: Report): void {
  const { url, example } = button;
  if (url === undefined) return;
  if (lengthOf(url) > URL_TEXT) report(`${place}.url`, `At most ${URL_TEXT.toLocaleString('en')} characters.`, url);
  const fixed = hasUrlVariable(button) ? url.slice(0, -'{{1}}'.length) : url;
  if (/[{}]/.test(fixed)) report(`${place}.url`, 'An address may have one variable, {{1}}, at its very end.', url);
  else if (!isWebUrl(fixed))
    report(`${place}.url`, 'An address begins with https:// and has no spaces, backslashes or user names.', url);
  if (hasUrlVariable(button) && example === undefined)
    report(`${place}.example`, 'Give an example for the variable of the address.');
  if (!hasUrlVariable(button) && example !== undefined && variablesIn(url).length === 0)
    report(`${place}.example`, 'Only an address that ends with {{1}} has an example.', example);
}

function countProblems(buttons: readonly TemplateButton[], report: Report): void {
  if (buttons.filter(({ type }) => type !== 'voice_call_request').length > MOST_BUTTONS)
    report('buttons', `At most ${MOST_BUTTONS} buttons, and a request for call permission.`);
  for (const [type, most] of Object.entries(MOST_OF)) {
    const places = buttons.flatMap((button, at) => (button.type === type ? [at] : []));
    for (const at of places.slice(most)) report(`buttons[${at}].type`, `At most ${most} of the type ${type}.`, type);
  }
  const replies = buttons.map(({ type, text }) => (type === 'quick_reply' ? text : undefined));
  replies.forEach((text, at) => {
    if (text !== undefined && replies.indexOf(text) !== at)
      report(`buttons[${at}].text`, 'Another quick reply has this text.', text);
  });
}

/** Checks the order: quick replies are grouped, before or after all others. The request for call permission is last. */
function orderProblems(buttons: readonly TemplateButton[], report: Report): void {
  buttons.forEach(({ type }, at) => {
    if (type === 'voice_call_request' && at < buttons.length - 1)
      report(`buttons[${at}].type`, 'The request for call permission must be the last button.', type);
  });
  const replies = buttons.filter(({ type }) => type !== 'voice_call_request').map(({ type }) => type === 'quick_reply');
  const changes = replies.filter((reply, at) => at > 0 && reply !== replies[at - 1]).length;
  if (changes > 1) report('buttons', 'Quick replies must be together, before or after all other buttons.');
}
