/** Messages of every kind, with what can be tapped in them. */
import { act, replyTo } from './acting.js';
import { failed, make, setText } from './dom.js';
import { MOGADISHU } from './giving.js';
import { firstLine, said } from './said.js';
import type { File, Message } from './wire.js';

const EMOJIS = ['👍', '❤️', '😂', '🙏'];

type Shown = File & { readonly url: string };
const FILES: Readonly<Record<string, (file: Shown) => HTMLElement>> = {
  image: (file) => make('img', undefined, { src: file.url, alt: file.caption || 'Photo' }),
  sticker: (file) => make('img', undefined, { src: file.url, alt: 'Sticker', class: 'sticker' }),
  video: (file) => make('video', undefined, { src: file.url, controls: '', 'aria-label': 'Video' }),
  audio: (file) =>
    make('audio', undefined, { src: file.url, controls: '', 'aria-label': file.voice ? 'Voice note' : 'Sound' }),
};

function fileKind({ type, payload }: Message): string {
  if (FILES[type]) return type;
  const parts = type === 'template' ? (payload.template?.components ?? []) : [];
  const parameters = parts.flatMap((part) => part.parameters ?? []);
  return parameters.some((parameter) => parameter.type === 'image') ? 'image' : 'document';
}

function fileOf(one: Message, file: File): HTMLElement {
  const { url, filename } = file;
  if (!url) return make('p', file.link ?? 'File');
  const show = FILES[fileKind(one)];
  if (show) return show({ ...file, url });
  return make('a', filename || 'Document', { href: url, download: filename || 'document' });
}

function tap(text: string, message: object): HTMLButtonElement {
  const button = make('button', text, { type: 'button' });
  button.addEventListener('click', () => void act(message).catch(failed));
  return button;
}

function tapsOf({ wamid, type, options = [], template }: Message): HTMLElement[] {
  const offered = options.map(({ id, title, description }) => {
    const button = tap(title, { choice: { id }, replyTo: wamid });
    if (description) button.append(make('small', description));
    return button;
  });
  const place =
    type === 'location_request_message' ? [tap('Send location', { location: MOGADISHU, replyTo: wamid })] : [];
  const buttons = (template?.buttons ?? []).map(({ type, text, payload = text }) =>
    type === 'QUICK_REPLY'
      ? tap(text, { button: { text, payload }, replyTo: wamid })
      : make('button', text || type, { type: 'button', disabled: '' }),
  );
  return [...offered, ...place, ...buttons];
}

/** Buttons of menus and templates; a list folds out as it does on a phone. */
function taps(one: Message): HTMLElement | undefined {
  const all = tapsOf(one);
  if (all.length === 0) return undefined;
  const isList = one.options?.some(({ list }) => list) === true;
  const box = make(isList ? 'details' : 'div', undefined, { class: 'taps' });
  if (isList) box.append(make('summary', one.payload.interactive?.action?.button));
  box.append(...all);
  return box;
}

/** Reacting, replying and taking back: folded away, reached by the keyboard too. */
function acts(one: Message): HTMLElement {
  const box = make('details', undefined, { class: 'acts' });
  const add = (text: string, label: string | undefined, run: () => void): void => {
    const button = make('button', text, { type: 'button', ...(label && { 'aria-label': label, title: label }) });
    button.addEventListener('click', () => {
      box.open = false;
      run();
    });
    box.append(button);
  };
  const acting = (message: object) => (): void => void act(message).catch(failed);
  box.append(make('summary', '⋯', { 'aria-label': 'React or reply' }));
  for (const emoji of EMOJIS) add(emoji, `React with ${emoji}`, acting({ reaction: { to: one.wamid, emoji } }));
  add('No reaction', undefined, acting({ reaction: { to: one.wamid } }));
  add('Reply', undefined, () => replyTo(one.wamid, firstLine(said(one) || one.type)));
  if (one.direction === 'sent') add('Delete', undefined, acting({ revoke: { wamid: one.wamid } }));
  return box;
}

/** Messages that change others: the reactions to each, the newest words of those that were edited, and what was deleted. */
export interface Changes {
  readonly reactions: Map<string, string>;
  readonly edited: Map<string, string>;
  readonly deleted: Set<string>;
}

export function changesOf(messages: readonly Message[]): Changes {
  const changes: Changes = { reactions: new Map(), edited: new Map(), deleted: new Set() };
  for (const { direction, payload } of messages) {
    const { reaction, edit, revoke } = payload;
    if (reaction) changes.reactions.set(`${reaction.message_id} ${direction}`, reaction.emoji ?? '');
    if (edit) changes.edited.set(edit.original_message_id, edit.message?.text?.body ?? '');
    if (revoke) changes.deleted.add(revoke.original_message_id);
  }
  return changes;
}

export const isShown = ({ payload }: Message): boolean => !payload.reaction && !payload.edit && !payload.revoke;

export function messageEntry(one: Message, byWamid: ReadonlyMap<string, Message>): HTMLElement {
  const { direction, payload, template, file } = one;
  const entry = make('li', undefined, { class: `${direction} of-${payload.type}`, dir: 'auto' });
  if (payload.context?.forwarded) entry.append(make('em', 'Forwarded'));
  const quoted = one.replyTo === undefined ? undefined : byWamid.get(one.replyTo);
  if (quoted) entry.append(make('blockquote', firstLine(said(quoted) || quoted.type)));
  if (template?.header) entry.append(make('strong', template.header));
  if (file) entry.append(fileOf(one, file));
  entry.append(make('span', said(one), { class: 'said' }));
  if (template?.footer) entry.append(make('small', template.footer));
  const options = taps(one);
  if (options) entry.append(options);
  entry.append(make('span', undefined, { class: 'reactions' }), make('small', undefined, { class: 'when' }), acts(one));
  return entry;
}

export function updateEntry(entry: HTMLElement, { wamid, at, statuses }: Message, changes: Changes): void {
  const part = (selector: string): Element => entry.querySelector(selector)!;
  setText(part('.when'), [new Date(at).toLocaleTimeString(), ...statuses].join(' · '));
  const reactions = ['sent', 'received'].map((direction) => changes.reactions.get(`${wamid} ${direction}`));
  setText(part('.reactions'), reactions.filter(Boolean).join(' '));
  const edited = changes.edited.get(wamid);
  if (edited !== undefined) setText(part('.said'), `${edited} (edited)`);
  if (!changes.deleted.has(wamid) || entry.classList.contains('gone')) return;
  entry.classList.add('gone');
  setText(part('.said'), 'You deleted this message.');
  for (const gone of entry.querySelectorAll('img, video, audio, a, blockquote, .acts, .taps')) gone.remove();
}
