/** One chat of the sandbox as the phone holds it: its messages and the catalog, as they come, and acting in it. */
import { createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { phoneAct, phoneRead } from '../api/client.js';
import { asFailed, type Load, useEvery, useLoad } from '../ui/load.js';
import type { Acted, Customer, Item, Message } from './wire.js';
import { useTongue } from './words/words.js';

/** Polling interval for changes without an event, such as a message that the channel lost, in ms. */
const AGAIN_MS = 3000;
/** So old the catalog may be, in ms: a review is no event of the chat. */
const CATALOG_MS = 10_000;

export interface Who {
  /** A phone or a user id. */
  readonly customer: string;
  readonly name: string;
}

/** A phone number that the customer may be reached at; empty for one who is known by a user id. */
export const phoneOf = ({ customer }: Who): string => (/^\+?\d{5,15}$/.test(customer) ? customer : '');

export interface Chat {
  readonly number: string;
  readonly who: Who;
  readonly messages: Load<readonly Message[]>;
  readonly items: Load<readonly Item[]>;
  /** Error of the last act. */
  readonly problem: string;
  complain(text: string): void;
  /** Sends a message as the customer, as a reply if one was chosen. Returns true if the service accepted it. */
  act(message: object): Promise<boolean>;
  call(): Promise<void>;
  readonly replying: Message | undefined;
  replyTo(message: Message | undefined): void;
}

const isUnread = ({ direction, statuses }: Message): boolean =>
  direction === 'received' && !statuses.includes('read') && !statuses.includes('failed');

/** `beat` grows with what happens in the store. */
export function useChat(number: string, who: Who, beat: number): Chat {
  const { translate } = useTongue();
  const path = `/customers/${encodeURIComponent(who.customer)}`;
  const key = `${number} ${who.customer}`;
  const messages = useLoad(`chat ${key}`, async () =>
    who.customer === '' ? [] : (await phoneRead<{ messages: readonly Message[] }>(number, `${path}/messages`)).messages,
  );
  const items = useLoad(`items ${number}`, async () => {
    return (await phoneRead<{ items: readonly Item[] }>(number, '/items')).items;
  });
  const [problem, complain] = useState('');
  const [replying, replyTo] = useState<Message>();
  useEffect(() => {
    complain('');
    replyTo(undefined);
  }, [key]);
  useEffect(() => {
    if (beat > 0) messages.reload();
  }, [beat]);
  useEvery(AGAIN_MS, messages.reload);
  useEvery(CATALOG_MS, items.reload);
  // An open chat is read as it comes, as on a phone.
  const unread = messages.data?.findLast(isUnread)?.wamid;
  useEffect(() => {
    if (unread !== undefined && document.visibilityState === 'visible')
      phoneAct(number, `${path}/read`, {}).catch(() => undefined);
  }, [unread, number, path]);

  async function tried(where: string, body: object): Promise<boolean> {
    if (who.customer === '') {
      complain(translate('nobody'));
      return false;
    }
    try {
      const named = who.name === '' ? {} : { name: who.name };
      const status = (await phoneAct<Acted>(number, `${path}/${where}`, { ...body, ...named }))?.webhook?.status;
      complain(status === 200 ? '' : translate('notTaken', { status: status ?? 0 }));
      return status === 200;
    } catch (error) {
      complain(asFailed(error).message);
      return false;
    } finally {
      messages.reload();
    }
  }
  return {
    ...{ number, who, messages, items, problem, complain, replying, replyTo },
    async act(message) {
      const taken = await tried('messages', replying === undefined ? message : { replyTo: replying.wamid, ...message });
      if (taken) replyTo((now) => (now === replying ? undefined : now));
      return taken;
    },
    call: async () => void (await tried('calls', {})),
  };
}

export function useCustomers(number: string | undefined, beat: number): readonly Customer[] {
  const load = useLoad(`customers ${number}`, async () =>
    number === undefined ? [] : (await phoneRead<{ customers: readonly Customer[] }>(number, '/customers')).customers,
  );
  useEffect(() => {
    if (beat > 0) load.reload();
  }, [beat]);
  return load.data ?? [];
}

export const InChat = createContext<Chat>({} as Chat);
export const useInChat = (): Chat => useContext(InChat);

/** Messages that change others: the reactions to each, the newest words of those that were edited, and what was deleted. */
export interface Changes {
  readonly reactions: ReadonlyMap<string, string>;
  readonly edited: ReadonlyMap<string, string>;
  readonly deleted: ReadonlySet<string>;
  /** Forms that have their answer. */
  readonly answered: ReadonlySet<string>;
  readonly byWamid: ReadonlyMap<string, Message>;
}

export const useChanges = (messages: readonly Message[]): Changes =>
  useMemo(() => {
    const reactions = new Map<string, string>();
    const edited = new Map<string, string>();
    const deleted = new Set<string>();
    const answered = new Set<string>();
    for (const { direction, payload, replyTo } of messages) {
      const { reaction, edit, revoke, interactive } = payload;
      if (reaction) reactions.set(`${reaction.message_id} ${direction}`, reaction.emoji ?? '');
      if (edit) edited.set(edit.original_message_id, edit.message?.text?.body ?? '');
      if (revoke) deleted.add(revoke.original_message_id);
      if (direction === 'sent' && interactive?.nfm_reply && replyTo !== undefined) answered.add(replyTo);
    }
    return { reactions, edited, deleted, answered, byWamid: new Map(messages.map((one) => [one.wamid, one])) };
  }, [messages]);

export const isShown = ({ payload }: Message): boolean => !payload.reaction && !payload.edit && !payload.revoke;
