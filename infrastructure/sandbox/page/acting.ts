/** Who the person is, and sending something as that customer. */
import { byId, inputOf, make, problem, setText } from './dom.js';
import { type Acted, call, type Store } from './wire.js';

let stores: readonly Store[] = [];

/** The store that is chosen; none before one has a number. */
export const chosenStore = (): Store | undefined => stores.find((one) => one.phoneNumberId === inputOf('number').value);

export const customer = (): string => inputOf('customer').value.trim();
const named = (): { name?: string } => {
  const name = inputOf('name').value.trim();
  return name === '' ? {} : { name };
};

/** A phone number that the customer may be reached at; empty for one who is known by a user id. */
export const customerPhone = (): string => (/^\+?\d+$/.test(customer()) ? customer() : '');

export const chatPath = (): string =>
  `/sandbox/numbers/${encodeURIComponent(inputOf('number').value)}/customers/${encodeURIComponent(customer())}`;

export async function showStores(): Promise<void> {
  const { numbers } = await call<{ numbers: readonly Store[] }>('/sandbox/numbers');
  if (JSON.stringify(numbers) === JSON.stringify(stores)) return;
  const select = inputOf('number');
  const chosen = select.value;
  stores = numbers;
  select.replaceChildren(
    ...stores.map((one) =>
      make('option', one.name ? `${one.name} · ${one.displayPhoneNumber}` : one.displayPhoneNumber, {
        value: one.phoneNumberId,
      }),
    ),
  );
  if (stores.some((one) => one.phoneNumberId === chosen)) select.value = chosen;
}

let showChat = async (): Promise<void> => {};

/** What shows the chat, after each act too. */
export function showAfterActs(show: () => Promise<void>): void {
  showChat = show;
}

/** Answers whether the service took it. */
export async function act(message: object): Promise<boolean> {
  if (chosenStore() === undefined) {
    problem('No store has a number yet.');
    return false;
  }
  if (customer() === '') {
    problem('Say who you are: a phone or a user id.');
    return false;
  }
  const { error, webhook } = await call<Acted>(`${chatPath()}/messages`, { ...message, ...named() });
  const status = webhook?.status;
  problem(error ?? (status === 200 ? '' : `The service did not take it: it answered ${status || 'nothing'}.`));
  await showChat();
  return status === 200;
}

export async function callStore(): Promise<void> {
  const { error, webhook } = await call<Acted>(`${chatPath()}/calls`, named());
  problem(error ?? (webhook?.status === 200 ? '' : 'The service did not take it.'));
  await showChat();
}

export async function readEverything(): Promise<void> {
  await call(`${chatPath()}/read`, {});
  await showChat();
}

let replied: string | undefined;

/** What is sent next replies to this message, or to none. */
export function replyTo(wamid?: string, text?: string): void {
  replied = wamid;
  byId('reply').hidden = wamid === undefined;
  setText(byId('reply-text'), text ? `Replying to: ${text}` : '');
  byId('text').focus();
}

/** Sends it as the reply that was chosen, if one was; answers whether the service took it. */
export async function actInReply(message: object): Promise<boolean> {
  const taken = await act(replied === undefined ? message : { ...message, replyTo: replied });
  if (taken) replyTo();
  return taken;
}
