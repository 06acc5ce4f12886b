/** Text of a message. */
import type { Flow, Message } from './wire.js';
import type { Tongue } from './words/words.js';

type Translate = Tongue['translate'];

const LONGEST_LINE = 60;

/** The beginning of a text, to quote it. */
export function firstLine(text: string): string {
  const line = text.split('\n')[0]!;
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE - 1)}…` : line;
}

/** A number keeps its sign before it, whatever is written around it. */
const leftToRight = (text: string): string => (/^[+\d\s]+$/.test(text) ? `\u2066${text}\u2069` : text);

/** Returns the answers to a form, in the form's words; undefined if the message is no answer to a form. */
function formAnswer(
  { payload: { interactive } }: Message,
  translate: Translate,
  form: Flow | undefined,
): string | undefined {
  const text = interactive?.nfm_reply?.response_json;
  if (text === undefined) return undefined;
  const { flow_token, area, fulfilment, wallet, ...answers } = JSON.parse(text) as Record<string, unknown>;
  const way =
    fulfilment === 'delivery' || fulfilment === 'pickup' ? translate(fulfilment) : (fulfilment ?? translate('payment'));
  const chosen = ({ id }: { readonly id: string }): boolean => id === area || id === wallet;
  const { areas = [], wallets = [] } = form?.data ?? {};
  const titles = [areas.find(chosen)?.title ?? area, wallets.find(chosen)?.title ?? wallet];
  return [way, ...titles, ...Object.values(answers)]
    .filter((one) => one !== undefined && one !== '' && typeof one !== 'object')
    .map((one) => leftToRight(String(one)))
    .join('\n');
}

/** Returns the text of a message; files, carts and places are shown separately. */
export function textOf(message: Message, translate: Translate, form?: Flow): string {
  const { payload, text, file, direction } = message;
  const { interactive } = payload;
  if (payload.order) return payload.order.text ?? '';
  if (payload.location || payload.contacts || payload.call) return '';
  if (payload.button) return payload.button.text;
  if (payload.system) return payload.system.body;
  if (direction === 'sent' && interactive)
    return (
      formAnswer(message, translate, form) ??
      (interactive.button_reply ?? interactive.list_reply)?.title ??
      text ??
      payload.type
    );
  return text ?? (file ? '' : payload.type);
}
