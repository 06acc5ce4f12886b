/** Files, places, cards and voice notes that a person sends. */
import { actInReply } from './acting.js';
import { type Attributes, field, inputOf, make, problem } from './dom.js';

export const MOGADISHU = { latitude: 2.0469, longitude: 45.3182, name: 'Mogadishu' };
const MOST_BYTES = 16 * 1024 * 1024;
const KINDS = [
  ['image/webp', 'sticker'],
  ['image/', 'image'],
  ['video/', 'video'],
  ['audio/', 'audio'],
] as const;

const base64Of = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve((reader.result as string).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

async function sendFile(file: File): Promise<void> {
  if (file.size > MOST_BYTES) {
    problem('Files have at most 16 MB here.');
    return;
  }
  const mimeType = file.type || 'application/octet-stream';
  const kind = KINDS.find(([start]) => mimeType.startsWith(start))?.[1] ?? 'document';
  const caption = inputOf('text').value.trim();
  const isCaptioned = caption !== '' && kind !== 'audio' && kind !== 'sticker';
  const content = { base64: await base64Of(file), mimeType, filename: file.name, ...(isCaptioned && { caption }) };
  if ((await actInReply({ [kind]: content })) && isCaptioned) inputOf('text').value = '';
}

export async function sendChosenFile(): Promise<void> {
  const [file] = inputOf('file').files ?? [];
  if (file) await sendFile(file);
  inputOf('file').value = '';
}

interface Asked {
  readonly name: string;
  readonly label: string;
  readonly attributes: Attributes;
}

/** Asks for a few values in a dialog; undefined when it is left. */
function ask(title: string, fields: readonly Asked[]): Promise<Readonly<Record<string, string>> | undefined> {
  const dialog = make('dialog', undefined, { 'aria-labelledby': 'ask-title' });
  const form = make('form', undefined, { method: 'dialog' });
  const inputs = fields.map(({ name, label, attributes }) => ({
    name,
    label,
    input: make('input', undefined, attributes),
  }));
  const cancel = make('button', 'Cancel', { type: 'button' });
  cancel.addEventListener('click', () => dialog.close());
  const row = make('p');
  row.append(make('button', 'Send', { class: 'main', value: 'send' }), ' ', cancel);
  form.append(make('h2', title, { id: 'ask-title' }), ...inputs.map(({ label, input }) => field(label, input)), row);
  dialog.append(form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) =>
    dialog.addEventListener('close', () => {
      const given = inputs.map(({ name, input }) => [name, input.value.trim()]);
      resolve(dialog.returnValue === 'send' ? Object.fromEntries(given) : undefined);
      dialog.remove();
    }),
  );
}

const degrees = (value: number, most: number): Attributes => ({
  value,
  type: 'number',
  min: -most,
  max: most,
  step: 'any',
  required: '',
});

export async function sendPlace(): Promise<void> {
  const place = await ask('Send a location', [
    { name: 'name', label: 'Name', attributes: { value: MOGADISHU.name, maxlength: 100 } },
    { name: 'latitude', label: 'Latitude', attributes: degrees(MOGADISHU.latitude, 90) },
    { name: 'longitude', label: 'Longitude', attributes: degrees(MOGADISHU.longitude, 180) },
  ]);
  if (!place) return;
  const { name, latitude, longitude } = place;
  await actInReply({
    location: { latitude: Number(latitude), longitude: Number(longitude), ...(name !== '' && { name }) },
  });
}

export async function sendContact(): Promise<void> {
  const card = await ask('Send a contact', [
    { name: 'name', label: 'Name', attributes: { value: 'Hodan Ali', maxlength: 80, required: '' } },
    { name: 'phone', label: 'Phone', attributes: { value: '+252615550199', type: 'tel', maxlength: 20, required: '' } },
  ]);
  if (card) await actInReply({ contacts: [{ name: card.name, phones: [card.phone] }] });
}

export const sendVoiceNote = (): Promise<boolean> => actInReply({ voice: true });
