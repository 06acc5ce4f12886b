/** Reads a template's components: its variables, and the text of a message with given parameters. */
import { defined } from '../../domain/defined.js';
import type { JsonObject } from '../../domain/jsonObject.js';
import { list, record } from '../untypedJson.js';
import { text } from './bodyText.js';
import type { TemplateContent } from './templateContent.js';

export const typeOf = (component: JsonObject | undefined): string => text(component?.type).toUpperCase();

/** The component of a type, such as BODY. */
export const partOf = (components: readonly JsonObject[], type: string): JsonObject | undefined =>
  components.find((component) => typeOf(component) === type);

export const buttonsOf = (components: readonly JsonObject[]): readonly JsonObject[] =>
  list(partOf(components, 'BUTTONS')?.buttons).map((button) => record(button) ?? {});

const VARIABLE = /\{\{\s*([A-Za-z0-9_]+)\s*\}\}/g;

/** Names or numbers, each once, in the order of their first use. */
export const variablesOf = (value: unknown): readonly string[] => [
  ...new Set([...text(value).matchAll(VARIABLE)].map(([, name]) => name!)),
];

/** Text that a parameter of a message shows. */
export function shownParameter(parameter: JsonObject | undefined): string {
  const fallback = record(parameter?.currency) ?? record(parameter?.date_time);
  return text(parameter?.text ?? fallback?.fallback_value);
}

const filled = (value: unknown, parameters: readonly (JsonObject | undefined)[]): string => {
  const byName = new Map(
    parameters.map((one, at) => [text(one?.parameter_name) || String(at + 1), shownParameter(one)]),
  );
  return text(value).replace(VARIABLE, (whole, name: string) => byName.get(name) ?? whole);
};

/** The parameters of the message's component, such as BODY. */
export function parametersOf(message: JsonObject | undefined, type: string): readonly (JsonObject | undefined)[] {
  const sent = list(message?.components).map(record);
  return list(sent.find((component) => typeOf(component) === type)?.parameters).map(record);
}

export interface ReadTemplate {
  readonly header?: string;
  readonly text: string;
  readonly footer?: string;
  readonly buttons: readonly { readonly type: string; readonly text: string; readonly payload?: string }[];
  /** A picture, video or document above the text. */
  readonly media?: JsonObject;
}

/** A sent template as the customer reads it. */
export function readTemplate({ components }: TemplateContent, message: JsonObject | undefined): ReadTemplate {
  const header = partOf(components, 'HEADER');
  const footer = text(partOf(components, 'FOOTER')?.text);
  const headerParameters = parametersOf(message, 'HEADER');
  const [first] = headerParameters;
  const media = record(first?.image) ?? record(first?.video) ?? record(first?.document);
  const sent = list(message?.components).map(record);
  const payloadOf = (index: number): string => {
    const found = sent.find((one) => typeOf(one) === 'BUTTON' && Number(one?.index) === index);
    return text(record(list(found?.parameters)[0])?.payload);
  };
  return {
    ...(header?.text !== undefined ? { header: filled(header.text, headerParameters) } : {}),
    text: filled(partOf(components, 'BODY')?.text, parametersOf(message, 'BODY')),
    ...(footer === '' ? {} : { footer }),
    buttons: buttonsOf(components).map((button, at) => {
      const payload = payloadOf(at);
      return { type: typeOf(button), text: text(button.text), ...(payload === '' ? {} : { payload }) };
    }),
    ...defined({ media }),
  };
}
