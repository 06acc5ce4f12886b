/** The part of the page's script with which a person sends files, places, cards, replies and calls. */
export const actsScript = `
const MOGADISHU = { latitude: 2.0469, longitude: 45.3182, name: 'Mogadishu' };
const MOST_BYTES = 16 * 1024 * 1024;
let replied;
function replyTo(wamid, text) {
  replied = wamid;
  byId('reply').hidden = wamid === undefined;
  setText(byId('reply-text'), text ? 'Replying to: ' + text : '');
  byId('text').focus();
}
const inReply = (message) => replied === undefined ? message : { ...message, replyTo: replied };
const KINDS = [['image/webp', 'sticker'], ['image/', 'image'], ['video/', 'video'], ['audio/', 'audio']];
const base64Of = (file) => new Promise((resolve, reject) => {
  const reader = new FileReader();
  reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(',') + 1));
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(file);
});
async function sendFile(file) {
  if (file.size > MOST_BYTES) return problem('Files have at most 16 MB here.');
  const mimeType = file.type || 'application/octet-stream';
  const kind = KINDS.find(([start]) => mimeType.startsWith(start))?.[1] ?? 'document';
  const caption = byId('text').value.trim();
  const captioned = caption !== '' && kind !== 'audio' && kind !== 'sticker' ? { caption } : {};
  if (await act(inReply({ [kind]: { base64: await base64Of(file), mimeType, filename: file.name, ...captioned } }))) { replyTo(); if (captioned.caption) byId('text').value = ''; }
}
/** Asks for a few values in a dialog; undefined when it is left. */
function ask(title, fields) {
  const dialog = make('dialog', undefined, { 'aria-labelledby': 'ask-title' });
  const form = make('form', undefined, { method: 'dialog' });
  const inputs = fields.map(({ name, label, ...attributes }) => [name, label, make('input', undefined, attributes)]);
  const cancel = make('button', 'Cancel', { type: 'button' });
  cancel.addEventListener('click', () => dialog.close());
  const row = make('p');
  row.append(make('button', 'Send', { class: 'main', value: 'send' }), ' ', cancel);
  form.append(make('h2', title, { id: 'ask-title' }), ...inputs.map(([, label, input]) => field(label, input)), row);
  dialog.append(form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener('close', () => {
    resolve(dialog.returnValue === 'send' ? Object.fromEntries(inputs.map(([name, , input]) => [name, input.value.trim()])) : undefined);
    dialog.remove();
  }));
}
async function sendPlace() {
  const place = await ask('Send a location', [
    { name: 'name', label: 'Name', value: MOGADISHU.name, maxlength: 100 },
    { name: 'latitude', label: 'Latitude', value: MOGADISHU.latitude, type: 'number', min: -90, max: 90, step: 'any', required: '' },
    { name: 'longitude', label: 'Longitude', value: MOGADISHU.longitude, type: 'number', min: -180, max: 180, step: 'any', required: '' }]);
  if (!place) return;
  const { name } = place;
  if (await act(inReply({ location: { latitude: Number(place.latitude), longitude: Number(place.longitude), ...(name === '' ? {} : { name }) } }))) replyTo();
}
async function sendContact() {
  const card = await ask('Send a contact', [
    { name: 'name', label: 'Name', value: 'Hodan Ali', maxlength: 80, required: '' },
    { name: 'phone', label: 'Phone', value: '+252615550199', type: 'tel', maxlength: 20, required: '' }]);
  if (card && await act(inReply({ contacts: [{ name: card.name, phones: [card.phone] }] }))) replyTo();
}
async function callStore() {
  const name = byId('name').value.trim();
  const answer = await call(chatPath() + '/calls', name === '' ? {} : { name });
  problem(answer.error ?? (answer.webhook.status === 200 ? '' : 'The service did not take it.'));
  await showChat();
}
on('file', 'change', async () => { const [file] = byId('file').files; if (file) await sendFile(file); byId('file').value = ''; });
on('attach', 'click', async () => byId('file').click());
on('voice', 'click', async () => { if (await act(inReply({ voice: true }))) replyTo(); });
on('pin', 'click', sendPlace);
on('contact', 'click', sendContact);
on('call', 'click', callStore);
on('no-reply', 'click', async () => replyTo());
`;
