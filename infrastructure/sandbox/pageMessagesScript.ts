/** The part of the page's script that shows messages of every kind, with what can be tapped in them. */
export const messagesScript = `
const EMOJIS = ['👍', '❤️', '😂', '🙏'];
const firstLine = (text) => { const line = text.split('\\n')[0]; return line.length > 60 ? line.slice(0, 59) + '…' : line; };
const cartText = (order) => {
  const lines = order.product_items.map((one) => one.quantity + ' × ' + (titles.get(one.product_retailer_id) ?? one.product_retailer_id));
  return ['Cart', ...lines, ...(order.text ? ['“' + order.text + '”'] : [])].join('\\n');
};
const contactText = (contacts) => ['Contact', ...contacts.map((one) => one.name.formatted_name + ' · ' + one.phones.map((phone) => phone.phone).join(', '))].join('\\n');
const locationText = (place) => ['Location', place.name, place.address, place.latitude + ', ' + place.longitude].filter(Boolean).join('\\n');
const callText = (call) => 'Call' + (call.duration ? ' · ' + call.duration + ' s' : ' · nobody answered');
const tapText = ({ button_reply, list_reply }) => (button_reply ?? list_reply)?.title;
/** What a message says in words; files are shown beside it. */
const said = (one) => {
  const { payload } = one;
  if (payload.order) return cartText(payload.order);
  if (payload.contacts) return contactText(payload.contacts);
  if (payload.location) return locationText(payload.location);
  if (payload.call) return callText(payload.call);
  if (payload.button) return payload.button.text;
  if (payload.system) return payload.system.body;
  if (one.direction === 'sent' && payload.interactive) return answerText(payload) ?? tapText(payload.interactive) ?? payload.type;
  return one.text ?? (one.file ? '' : payload.type);
};
const FILES = {
  image: (file) => make('img', undefined, { src: file.url, alt: file.caption || 'Photo' }),
  sticker: (file) => make('img', undefined, { src: file.url, alt: 'Sticker', class: 'sticker' }),
  video: (file) => make('video', undefined, { src: file.url, controls: '', 'aria-label': 'Video' }),
  audio: (file) => make('audio', undefined, { src: file.url, controls: '', 'aria-label': file.voice ? 'Voice note' : 'Sound' }),
};
const fileKind = (one) => {
  if (FILES[one.type]) return one.type;
  return one.type === 'template' && (one.payload.template.components ?? []).some((part) => (part.parameters ?? []).some((parameter) => parameter.type === 'image')) ? 'image' : 'document';
};
function fileOf(one) {
  const file = one.file;
  if (!file.url) return make('p', file.link ?? 'File');
  const show = FILES[fileKind(one)];
  return show ? show(file) : make('a', file.filename || 'Document', { href: file.url, download: file.filename || 'document' });
}
const tap = (text, message) => {
  const button = make('button', text, { type: 'button' });
  button.addEventListener('click', () => act(message).catch(failed));
  return button;
};
/** Buttons of menus and templates; a list folds out as it does on a phone. */
function taps(one) {
  const options = (one.options ?? []).map((option) => {
    const button = tap(option.title, { choice: { id: option.id }, replyTo: one.wamid });
    if (option.description) button.append(make('small', option.description));
    return button;
  });
  if (one.type === 'location_request_message') options.push(tap('Send location', { location: MOGADISHU, replyTo: one.wamid }));
  for (const button of one.template?.buttons ?? []) {
    const quick = button.type === 'QUICK_REPLY';
    const element = quick ? tap(button.text, { button: { text: button.text, payload: button.payload ?? button.text }, replyTo: one.wamid }) : make('button', button.text || button.type, { type: 'button', disabled: '' });
    options.push(element);
  }
  if (options.length === 0) return undefined;
  if (!one.options?.some((option) => option.list)) { const row = make('div', undefined, { class: 'taps' }); row.append(...options); return row; }
  const list = make('details', undefined, { class: 'taps' });
  list.append(make('summary', one.payload.interactive.action.button), ...options);
  return list;
}
/** Reacting, replying and taking back: folded away, reached by the keyboard too. */
function acts(one) {
  const box = make('details', undefined, { class: 'acts' });
  const close = (run) => () => { box.open = false; run(); };
  const add = (text, label, run) => {
    const button = make('button', text, { type: 'button', ...(label ? { 'aria-label': label, title: label } : {}) });
    button.addEventListener('click', close(run));
    box.append(button);
  };
  box.append(make('summary', '⋯', { 'aria-label': 'React or reply' }));
  for (const emoji of EMOJIS) add(emoji, 'React with ' + emoji, () => act({ reaction: { to: one.wamid, emoji } }).catch(failed));
  add('No reaction', undefined, () => act({ reaction: { to: one.wamid } }).catch(failed));
  add('Reply', undefined, () => replyTo(one.wamid, firstLine(said(one) || one.type)));
  if (one.direction === 'sent') add('Delete', undefined, () => act({ revoke: { wamid: one.wamid } }).catch(failed));
  return box;
}
/** Messages that change others: the reactions to each, the newest words of those that were edited, and what was deleted. */
function changesOf(messages) {
  const changes = { reactions: new Map(), edited: new Map(), deleted: new Set() };
  for (const { direction, payload } of messages) {
    if (payload.reaction) changes.reactions.set(payload.reaction.message_id + ' ' + direction, payload.reaction.emoji ?? '');
    if (payload.edit) changes.edited.set(payload.edit.original_message_id, payload.edit.message?.text?.body ?? '');
    if (payload.revoke) changes.deleted.add(payload.revoke.original_message_id);
  }
  return changes;
}
const isShown = ({ payload }) => !payload.reaction && !payload.edit && !payload.revoke;
function messageEntry(one, byId) {
  const entry = make('li', undefined, { class: one.direction + ' of-' + one.payload.type, dir: 'auto' });
  if (one.payload.context?.forwarded) entry.append(make('em', 'Forwarded'));
  const quoted = byId.get(one.replyTo);
  if (quoted) entry.append(make('blockquote', firstLine(said(quoted) || quoted.type)));
  if (one.template?.header) entry.append(make('strong', one.template.header));
  if (one.file) entry.append(fileOf(one));
  entry.append(make('span', said(one), { class: 'said' }));
  if (one.template?.footer) entry.append(make('small', one.template.footer));
  const options = taps(one);
  if (options) entry.append(options);
  entry.append(make('span', undefined, { class: 'reactions' }), make('small', undefined, { class: 'when' }), acts(one));
  return entry;
}
function updateEntry(entry, one, changes) {
  const { wamid } = one;
  setText(entry.querySelector('.when'), [new Date(one.at).toLocaleTimeString(), ...one.statuses].join(' · '));
  setText(entry.querySelector('.reactions'), [changes.reactions.get(wamid + ' sent'), changes.reactions.get(wamid + ' received')].filter(Boolean).join(' '));
  if (changes.edited.has(wamid)) setText(entry.querySelector('.said'), changes.edited.get(wamid) + ' (edited)');
  if (!changes.deleted.has(wamid) || entry.classList.contains('gone')) return;
  entry.classList.add('gone');
  setText(entry.querySelector('.said'), 'You deleted this message.');
  for (const part of entry.querySelectorAll('img, video, audio, a, blockquote, .acts, .taps')) part.remove();
}
`;
