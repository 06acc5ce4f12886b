/** The sandbox's page: what a person sees and does as a customer. */
import {
  actInReply,
  callStore,
  chatPath,
  chosenStore,
  customer,
  readEverything,
  replyTo,
  showAfterActs,
  showStores,
} from './acting.js';
import { sendCart, showItems } from './catalog.js';
import { byId, failed, inputOf, keyed, on, problem } from './dom.js';
import { formOf } from './forms.js';
import { sendChosenFile, sendContact, sendPlace, sendVoiceNote } from './giving.js';
import { changesOf, isShown, messageEntry, updateEntry } from './messages.js';
import { call, type Message } from './wire.js';

const POLL_MS = 1500;
/** So near to its end, in pixels, a chat follows what comes. */
const NEAR_END = 40;

let showing = '';

async function showChat(): Promise<void> {
  if (customer() === '' || chosenStore() === undefined) return;
  const path = chatPath();
  const { messages } = await call<{ messages: readonly Message[] }>(`${path}/messages?all=1`);
  if (path !== chatPath()) return;
  const list = byId('chat');
  const isOther = showing !== path;
  const isLow = isOther || list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END;
  const before = list.children.length;
  showing = path;
  const forms = messages.filter((one) => one.direction === 'sent' && one.payload.interactive?.nfm_reply);
  const answered = new Set(forms.map((one) => one.replyTo));
  const changes = changesOf(messages);
  const byWamid = new Map(messages.map((one) => [one.wamid, one]));
  keyed(list, messages.filter(isShown), {
    key: ({ wamid }) => path + wamid,
    create(one) {
      const entry = messageEntry(one, byWamid);
      if (one.flow && !answered.has(one.wamid)) entry.append(formOf(one.flow));
      return entry;
    },
    update(entry, one) {
      updateEntry(entry, one, changes);
      if (answered.has(one.wamid)) entry.querySelector('form')?.remove();
    },
  });
  if ((list.children.length !== before && isLow) || isOther) list.scrollTop = list.scrollHeight;
}

async function showAll(): Promise<void> {
  await showStores();
  await showItems();
  await showChat();
}

async function sendText(): Promise<void> {
  const text = inputOf('text');
  if (await actInReply({ text: text.value })) text.value = '';
}

showAfterActs(showChat);
on('who', 'submit', showAll);
on('who', 'change', showAll);
on('say', 'submit', sendText);
on('file', 'change', sendChosenFile);
on('attach', 'click', async () => byId('file').click());
on('voice', 'click', sendVoiceNote);
on('pin', 'click', sendPlace);
on('contact', 'click', sendContact);
on('call', 'click', callStore);
on('no-reply', 'click', async () => replyTo());
on('read', 'click', readEverything);
on('cart', 'submit', sendCart);

let isSilent = false;

async function poll(): Promise<void> {
  try {
    if (!document.hidden) {
      await showAll();
      if (isSilent) problem('');
      isSilent = false;
    }
  } catch {
    isSilent = true;
    failed();
  }
  setTimeout(poll, POLL_MS);
}
void poll();
