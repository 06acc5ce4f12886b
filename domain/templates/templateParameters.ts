/** Parses the parameters of one part of a template. */
import type { TemplateComponent, TemplateParameter } from '../channel/templateComponents.js';
import { never } from '../decider.js';
import { BODY_TEXT } from './partRules.js';
import type { ParameterFormat } from './templateDefinition.js';
import { lengthOf } from './textVariables.js';

/** Reports one problem. `place`: location relative to the list of components, such as `[0].parameters[1]`. Empty: the list as a whole. */
export type Problems = (message: string, place: string, value?: unknown) => void;

/** A component and its location in the list. */
export interface PlacedComponent {
  readonly component: TemplateComponent;
  readonly place: string;
}

export const parametersOf = (given: PlacedComponent | undefined): readonly TemplateParameter[] =>
  given?.component.parameters ?? [];

type Member = 'text' | 'currency' | 'dateTime' | 'media' | 'location' | 'payload' | 'couponCode';

/** Member that contains the value, by type of parameter. */
const MEMBERS: Readonly<Record<TemplateParameter['type'], Member>> = {
  text: 'text',
  currency: 'currency',
  date_time: 'dateTime',
  image: 'media',
  video: 'media',
  document: 'media',
  location: 'location',
  payload: 'payload',
  coupon_code: 'couponCode',
};
const NAMED: readonly TemplateParameter['type'][] = ['text', 'currency', 'date_time'];

/** Reports parameters that do not have exactly the member of their type. Returns true if all have. */
export function wellShaped(components: readonly TemplateComponent[], problems: Problems): boolean {
  let good = true;
  const wrong = (message: string, place: string): void => {
    good = false;
    problems(message, place);
  };
  components.forEach(({ parameters = [] }, index) => {
    parameters.forEach((parameter, at) => {
      const place = `[${index}].parameters[${at}]`;
      const member = MEMBERS[parameter.type];
      if (!(member in parameter)) wrong(`A parameter of the type ${parameter.type} needs ${member}.`, place);
      const others = new Set<string>(Object.values(MEMBERS).filter((other) => other !== member));
      if (!NAMED.includes(parameter.type)) others.add('parameterName');
      for (const other of others)
        if (other in parameter)
          wrong(`A parameter of the type ${parameter.type} has no ${other}.`, `${place}.${other}`);
    });
  });
  return good;
}

/** Text that the channel refuses in a message: line breaks, tabs, long gaps, half characters. */
const NOT_SENT = /[\r\n\t\u2028\u2029]| {5}|\p{Cs}/u;

/** Returns the text of a parameter, or undefined if its type has none. An invalid text is reported, but returned too. */
export function textOf(parameter: TemplateParameter, place: string, problems: Problems): string | undefined {
  const [text, field] = written(parameter);
  if (text === undefined) return undefined;
  if (text.trim() === '') problems('A parameter must not be empty.', `${place}.${field}`, text);
  else if (NOT_SENT.test(text))
    problems('No line breaks, no tabs, no more than four spaces in a row.', `${place}.${field}`, text);
  if (lengthOf(text) > BODY_TEXT) problems(`At most ${BODY_TEXT} characters.`, `${place}.${field}`);
  return text;
}

/** Returns the text and its field. Currencies and times use their fallback, since it is unknown how each customer's phone formats them. */
function written(parameter: TemplateParameter): [string | undefined, string] {
  switch (parameter.type) {
    case 'text':
      return [parameter.text, 'text'];
    case 'currency':
      return [parameter.currency.fallbackValue, 'currency.fallbackValue'];
    case 'date_time':
      return [parameter.dateTime.fallbackValue, 'dateTime.fallbackValue'];
    case 'payload':
      return [parameter.payload, 'payload'];
    case 'coupon_code':
      return [parameter.couponCode, 'couponCode'];
    case 'image':
    case 'video':
    case 'document':
    case 'location':
      return [undefined, ''];
    default:
      return never(parameter);
  }
}

interface Reading {
  readonly format: ParameterFormat;
  readonly part: 'header' | 'body';
  /** Types of parameters that the part accepts. */
  readonly kinds: readonly TemplateParameter['type'][];
  /** Location of the part's component. Undefined: there is none. */
  readonly place: string | undefined;
  readonly problems: Problems;
}

/** Returns the values by variable: numbered ones in order, named ones by their names. */
export function valuesOf(
  variables: readonly string[],
  parameters: readonly TemplateParameter[],
  reading: Reading,
): Map<string, string> {
  const { format, part, kinds, problems } = reading;
  const list = reading.place === undefined ? '' : `${reading.place}.parameters`;
  const values = new Map<string, string>();
  parameters.forEach((parameter, at) => {
    const place = `${list}[${at}]`;
    const name = variableOf(parameter, at, variables, format, place, problems);
    if (name === undefined) return;
    if (values.has(name)) problems('This variable has a parameter already.', `${place}.parameterName`, name);
    const allowed = kinds.includes(parameter.type);
    if (!allowed)
      problems(`A parameter of the ${part} is of the type ${kinds.join(', ')}.`, `${place}.type`, parameter.type);
    values.set(name, (allowed && textOf(parameter, place, problems)) || '');
  });
  for (const name of variables)
    if (!values.has(name)) problems(`The variable {{${name}}} of the ${part} has no parameter.`, list, name);
  return values;
}

/** Returns the variable of a parameter. Reports a parameter without a variable. */
function variableOf(
  parameter: TemplateParameter,
  at: number,
  variables: readonly string[],
  format: ParameterFormat,
  place: string,
  problems: Problems,
): string | undefined {
  const given = 'parameterName' in parameter ? parameter.parameterName : undefined;
  if (format === 'positional') {
    if (given !== undefined)
      problems('The variables are numbered. Remove parameterName.', `${place}.parameterName`, given);
    const name = String(at + 1);
    if (variables.includes(name)) return name;
    problems('There is no variable for this parameter.', place);
    return undefined;
  }
  if (given !== undefined && variables.includes(given)) return given;
  if (given === undefined) problems('The variables are named. Set parameterName.', `${place}.parameterName`);
  else problems('The template has no variable of this name.', `${place}.parameterName`, given);
  return undefined;
}
