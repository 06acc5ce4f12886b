/** Variables in a template's texts: `{{1}}`, `{{2}}` in order, or `{{first_name}}`. (The provider's rules.) */
import type { ParameterFormat, Report, TemplateExample } from './templateDefinition.js';

/** Maximum variables, equal to the maximum parameters. (Specification 2, 'Templates': parameters, max 20.) */
const MOST_VARIABLES = 20;

const VARIABLE = /\{\{([1-9][0-9]{0,2}|[a-z][a-z0-9_]{0,63})\}\}/g;
/** Matches remaining braces after removal of all valid variables, if they cannot be meant as text. */
const BROKEN = /\{\{[^{}]{0,80}(?:\}\}?)?|\}\}|\{\s*[\w\u0000]*\s*\}/g;

/** Counts characters as users see them: an emoji is one character. */
export const lengthOf = (text: string): number => [...text].length;

const isNumber = (name: string): boolean => /^\d/.test(name);

/** Names of the variables in order of appearance, with repetitions. `1`, `2` for numbered ones. */
export const variablesIn = (text: string): string[] => [...text.matchAll(VARIABLE)].map((match) => match[1]!);

/** Names without repetitions, in the order of their first appearance. */
export const distinctVariables = (text: string): string[] => [...new Set(variablesIn(text))];

/** Returns the form of the variables in all these texts. `positional` if there are none, undefined if both forms occur. */
export function parameterFormatOf(texts: readonly (string | undefined)[]): ParameterFormat | undefined {
  const numbers = texts.flatMap((text) => variablesIn(text ?? '')).map(isNumber);
  if (numbers.includes(true) && numbers.includes(false)) return undefined;
  return numbers.includes(false) ? 'named' : 'positional';
}

/** Replaces variables by their values. A variable without a value is unchanged. Values are inserted as they are. */
export const filled = (text: string, values: ReadonlyMap<string, string>): string =>
  text.replace(VARIABLE, (variable, name: string) => values.get(name) ?? variable);

/** Reports invalid variables of one text: their form, their numbers, their examples. `place`: location of the part, such as `header`. */
export function variableProblems(
  part: { readonly text?: string; readonly examples?: readonly TemplateExample[] },
  format: ParameterFormat,
  place: string,
  report: Report,
): void {
  const { text = '', examples = [] } = part;
  for (const [broken] of text.replace(VARIABLE, '\u0000').matchAll(BROKEN))
    report(
      `${place}.text`,
      'This is not a variable. Write {{1}}, or {{first_name}} in lower case.',
      broken.replaceAll('\u0000', '{{…}}'),
    );
  const names = variablesIn(text);
  const numbered = format === 'positional' && names.every(isNumber);
  if (numbered && names.some((name, at) => name !== String(at + 1)))
    report(`${place}.text`, 'Numbered variables must be {{1}}, {{2}}, {{3}}, in this order, each once.', text);
  if (new Set(names).size > MOST_VARIABLES)
    report(`${place}.text`, `A text has at most ${MOST_VARIABLES} variables.`, text);
  exampleProblems(distinctVariables(text), examples, format, `${place}.examples`, report);
}

function exampleProblems(
  names: readonly string[],
  examples: readonly TemplateExample[],
  format: ParameterFormat,
  place: string,
  report: Report,
): void {
  examples.forEach(({ value }, at) => {
    if (value.trim() === '') report(`${place}[${at}].value`, 'An example must not be empty.', value);
  });
  if (format === 'named') namedExampleProblems(names, examples, place, report);
  else numberedExampleProblems(names, examples, place, report);
}

function numberedExampleProblems(
  names: readonly string[],
  examples: readonly TemplateExample[],
  place: string,
  report: Report,
): void {
  examples.forEach(({ name }, at) => {
    if (name !== undefined)
      report(`${place}[${at}].name`, 'Examples of numbered variables have no name: their order counts.', name);
  });
  if (examples.length !== names.length)
    report(place, `Give one example for each variable: ${names.length}, not ${examples.length}.`);
}

function namedExampleProblems(
  names: readonly string[],
  examples: readonly TemplateExample[],
  place: string,
  report: Report,
): void {
  const given = examples.map(({ name }) => name);
  for (const name of names)
    if (!given.includes(name)) report(place, `The variable {{${name}}} has no example with its name.`, name);
  given.forEach((name, at) => {
    if (name === undefined || !names.includes(name))
      report(`${place}[${at}].name`, 'No variable of this text has this name.', name);
    else if (given.indexOf(name) !== at) report(`${place}[${at}].name`, 'This variable has an example already.', name);
  });
}
