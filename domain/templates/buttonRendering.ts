/** Buttons of a template, filled with their parameters. */
import { defined } from '../defined.js';
import { CODE_TEXT, hasUrlVariable, URL_TEXT } from './buttonRules.js';
import type { RenderedButton } from './renderedTemplate.js';
import type { TemplateButton } from './templateDefinition.js';
import { type PlacedComponent, type Problems, parametersOf, textOf } from './templateParameters.js';
import { lengthOf } from './textVariables.js';

const PAYLOAD_TEXT = 256;

/** `given`: components by the button's index. */
export function renderButtons(
  buttons: readonly TemplateButton[],
  given: ReadonlyMap<number, PlacedComponent>,
  problems: Problems,
): RenderedButton[] {
  for (const [index, { place }] of given)
    if (index >= buttons.length) problems('The template has no such button.', `${place}.index`, index);
  return buttons.map((button, index) => renderButton(button, index, given.get(index), problems));
}

/** Expected parameter of the button. */
interface Taken {
  readonly subType: 'quick_reply' | 'copy_code' | 'url';
  readonly kind: 'payload' | 'coupon_code' | 'text';
}

/** Undefined: the button accepts no parameter. */
function takes(button: TemplateButton): Taken | undefined {
  if (button.type === 'quick_reply') return { subType: 'quick_reply', kind: 'payload' };
  if (button.type === 'copy_code') return { subType: 'copy_code', kind: 'coupon_code' };
  return button.type === 'otp' || hasUrlVariable(button) ? { subType: 'url', kind: 'text' } : undefined;
}

function renderButton(
  button: TemplateButton,
  index: number,
  given: PlacedComponent | undefined,
  problems: Problems,
): RenderedButton {
  const { type, text, url, phoneNumber } = button;
  const shown: RenderedButton = {
    type,
    ...defined({ text, url, phoneNumber }),
  };
  const taken = takes(button);
  if (taken === undefined && given !== undefined)
    problems('This button takes no parameters.', `${given.place}.index`, index);
  // A quick reply without a payload returns its text.
  const optional = taken === undefined || (given === undefined && type === 'quick_reply');
  const value = optional ? undefined : valueFor(taken, index, given, problems);
  if (value === undefined) return shown;
  const place = `${given?.place}.parameters[0]`;
  if (type === 'url') return { ...shown, url: address(url ?? '', value, place, problems) };
  const most = type === 'quick_reply' ? PAYLOAD_TEXT : CODE_TEXT;
  if (lengthOf(value) > most) problems(`At most ${most} characters.`, place, value);
  return type === 'quick_reply' ? { ...shown, payload: value } : { ...shown, code: value };
}

function address(template: string, value: string, place: string, problems: Problems): string {
  const url = template.replace('{{1}}', () => value);
  if (/\s/.test(value)) problems('An address has no spaces.', place, value);
  if (lengthOf(url) > URL_TEXT)
    problems(`With its value the address has more than ${URL_TEXT} characters.`, place, value);
  return url;
}

function valueFor({ subType, kind }: Taken, index: number, given: PlacedComponent | undefined, problems: Problems) {
  if (given === undefined) {
    problems(`The button ${index} needs a component with subType ${subType} and a parameter of the type ${kind}.`, '');
    return undefined;
  }
  const { component, place } = given;
  if (component.subType !== subType) {
    problems(`The button ${index} is of the subType ${subType}.`, `${place}.subType`, component.subType);
    return undefined;
  }
  const [parameter, more] = parametersOf(given);
  if (more !== undefined) problems('The button takes one parameter.', `${place}.parameters[1]`);
  if (parameter?.type === kind) return textOf(parameter, `${place}.parameters[0]`, problems);
  const needs = `The button needs a parameter of the type ${kind}.`;
  if (parameter === undefined) problems(needs, `${place}.parameters`);
  else problems(needs, `${place}.parameters[0].type`, parameter.type);
  return undefined;
}
