/** The sandbox's business numbers and their customers: who wrote what, and what became of it. */
import { randomUUID } from 'node:crypto';
import { formsOf } from '../../domain/channel/phoneForms.js';

export interface SandboxCustomer {
  /** Digits with '+'. */
  readonly phone?: string;
  readonly userId?: string;
  readonly name?: string;
}

export interface ChatMessage {
  readonly wamid: string;
  /** ms since 1970. */
  readonly at: number;
  /** From the customer's side. */
  readonly direction: 'received' | 'sent';
  /** The message in the channel's format, without the envelope. */
  readonly payload: Readonly<Record<string, unknown>>;
  readonly callbackData?: string;
  statuses: readonly string[];
}

interface Chat {
  customer: SandboxCustomer;
  readonly messages: ChatMessage[];
}

/** A message as the journal keeps it. */
export interface ChatEntry {
  readonly kind: 'message';
  readonly phoneNumberId: string;
  readonly customer: SandboxCustomer;
  readonly message?: ChatMessage;
}

/** The channel reports mobile numbers of Mexico with a 1 behind the country code, and those of Argentina with a 9. */
const OWN_FORM = /^\+(521|549)\d{10}$/;

const KEPT_MESSAGES = 300;
const KEPT_CHATS = 5_000;

/** Digits with or without '+' are a phone, everything else a business-scoped user id. */
export function customerOf(key: string): SandboxCustomer {
  const digits = key.replace(/^\+/, '');
  return /^\d{5,15}$/.test(digits) ? { phone: `+${digits}` } : { userId: key };
}

export const newWamid = (): string => `wamid.${Buffer.from(randomUUID()).toString('base64url')}`;

/** A message that a customer received. */
export interface Received {
  readonly phoneNumberId: string;
  readonly customer: SandboxCustomer;
  readonly message: ChatMessage;
}

/** Period before a crash whose statuses may not have been reported, in ms. */
const LAST_MOMENT_MS = 10_000;

/** Messages that customers received in the last moment before the newest entry. */
export function receivedLast(chats: Pick<SandboxChats, 'entries'>): Received[] {
  const all = [...chats.entries()].flatMap(({ phoneNumberId, customer, message }) =>
    message?.direction === 'received' ? [{ phoneNumberId, customer, message }] : [],
  );
  const newest = all.reduce((latest, { message: { at } }) => Math.max(latest, at), 0);
  return all.filter(({ message: { at } }) => at > newest - LAST_MOMENT_MS);
}

export interface SandboxChats {
  add(phoneNumberId: string, customer: SandboxCustomer, message: ChatMessage): ChatEntry;
  /** Knows the customer by all of this from now on. */
  meet(phoneNumberId: string, customer: SandboxCustomer): ChatEntry;
  messages(phoneNumberId: string, customer: SandboxCustomer): readonly ChatMessage[];
  /** All that is known of the customer: the phone of a user id, the user id of a phone. */
  known(phoneNumberId: string, customer: SandboxCustomer): SandboxCustomer;
  /** The form in which the channel reports this phone: as the customer is known, or as it does in that country. */
  ownForm(phoneNumberId: string, phone: string): string;
  customers(phoneNumberId: string): SandboxCustomer[];
  numbers(): string[];
  apply(entry: ChatEntry): void;
  entries(): Iterable<ChatEntry>;
}

export function createChats(): SandboxChats {
  const numbers = new Map<string, Set<Chat>>();
  /** Keyed by number and phone, and by number and user id. */
  const index = new Map<string, Chat>();
  const keys = (phoneNumberId: string, { phone, userId }: SandboxCustomer): string[] =>
    [phone && formsOf(phone)[0], userId].filter((key) => key !== undefined).map((key) => `${phoneNumberId} ${key}`);
  const find = (phoneNumberId: string, customer: SandboxCustomer): Chat | undefined =>
    keys(phoneNumberId, customer)
      .map((key) => index.get(key))
      .find((chat) => chat !== undefined);

  function forget(phoneNumberId: string, chats: Set<Chat>): void {
    const oldest = chats.values().next().value!;
    chats.delete(oldest);
    for (const key of keys(phoneNumberId, oldest.customer)) index.delete(key);
  }

  function apply({ phoneNumberId, customer, message }: ChatEntry): void {
    let chats = numbers.get(phoneNumberId);
    if (chats === undefined) {
      chats = new Set();
      numbers.set(phoneNumberId, chats);
    }
    let chat = find(phoneNumberId, customer);
    if (chat === undefined) {
      chat = { customer, messages: [] };
      chats.add(chat);
      if (chats.size > KEPT_CHATS) forget(phoneNumberId, chats);
    }
    chat.customer = { ...chat.customer, ...customer };
    for (const key of keys(phoneNumberId, chat.customer)) index.set(key, chat);
    if (message === undefined || chat.messages.some(({ wamid }) => wamid === message.wamid)) return;
    chat.messages.push(message);
    if (chat.messages.length > KEPT_MESSAGES) chat.messages.shift();
  }

  return {
    add(phoneNumberId, customer, message) {
      const entry: ChatEntry = { kind: 'message', phoneNumberId, customer, message };
      apply(entry);
      return entry;
    },
    meet(phoneNumberId, customer) {
      const entry: ChatEntry = { kind: 'message', phoneNumberId, customer };
      apply(entry);
      return entry;
    },
    messages: (phoneNumberId, customer) => find(phoneNumberId, customer)?.messages ?? [],
    known: (phoneNumberId, customer) => ({ ...find(phoneNumberId, customer)?.customer, ...customer }),
    ownForm(phoneNumberId, phone) {
      const known = find(phoneNumberId, { phone })?.customer.phone;
      const forms = formsOf(phone);
      if (known !== undefined && forms.includes(known)) return known;
      return forms.find((form) => OWN_FORM.test(form)) ?? phone;
    },
    customers: (phoneNumberId) => [...(numbers.get(phoneNumberId) ?? [])].map((chat) => chat.customer),
    numbers: () => [...numbers.keys()],
    apply,
    *entries() {
      for (const [phoneNumberId, chats] of numbers)
        for (const { customer, messages } of chats) {
          yield { kind: 'message', phoneNumberId, customer };
          for (const message of messages) yield { kind: 'message', phoneNumberId, customer, message };
        }
    },
  };
}
