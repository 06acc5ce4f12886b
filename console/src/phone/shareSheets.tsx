/** A place and a contact that the customer shares; and files, which are read here and sent whole. */
import { useState } from 'preact/hooks';
import { useInChat } from './chat.js';
import { Sheet } from './sheet.js';
import { useTongue } from './words/words.js';

/** Places that are a tap away; any other by its coordinates. */
const PLACES = [
  { name: 'Mogadishu', latitude: 2.0469, longitude: 45.3182 },
  { name: 'Xeebta Liido', latitude: 2.0346, longitude: 45.3651 },
  { name: 'Suuqa Bakaaraha', latitude: 2.0479, longitude: 45.3195 },
  { name: 'Hargeysa', latitude: 9.5624, longitude: 44.077 },
] as const;
const FORM = 'what-is-shared';

/** `replyTo`: the message that requests a place. */
export function PlaceSheet({ close, replyTo }: { close(): void; replyTo?: string | undefined }) {
  const { translate } = useTongue();
  const { act } = useInChat();
  const [chosen, choose] = useState<{ name: string; latitude: number; longitude: number }>(PLACES[0]);
  const field = (name: 'latitude' | 'longitude', most: number) => (
    <label class="asked">
      {translate(name)}
      <input
        class="field"
        type="number"
        dir="ltr"
        step="any"
        min={-most}
        max={most}
        required
        value={chosen[name]}
        onInput={({ currentTarget }) => choose({ ...chosen, [name]: currentTarget.valueAsNumber })}
      />
    </label>
  );
  async function send(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const { name, ...where } = chosen;
    const location = { ...where, ...(name.trim() !== '' && { name: name.trim() }) };
    await act({ location, ...(replyTo !== undefined && { replyTo }) });
    close();
  }
  return (
    <Sheet
      title={translate('sharePlace')}
      close={close}
      foot={
        <button type="submit" form={FORM} class="main">
          <span>{translate('send')}</span>
        </button>
      }
    >
      <div class="taps" role="group" aria-label={translate('place')}>
        {PLACES.map((one) => (
          <button
            key={one.name}
            type="button"
            aria-pressed={chosen.latitude === one.latitude && chosen.longitude === one.longitude}
            onClick={() => choose(one)}
          >
            {one.name}
          </button>
        ))}
      </div>
      <form id={FORM} onSubmit={send} class="asking">
        <label class="asked">
          {translate('placeName')}
          <input
            class="field"
            dir="auto"
            maxLength={100}
            value={chosen.name}
            onInput={({ currentTarget }) => choose({ ...chosen, name: currentTarget.value })}
          />
        </label>
        {field('latitude', 90)}
        {field('longitude', 180)}
      </form>
    </Sheet>
  );
}

export function ContactSheet({ close }: { close(): void }) {
  const { translate } = useTongue();
  const { act } = useInChat();
  async function send(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement);
    await act({ contacts: [{ name: String(given.get('name')), phones: [String(given.get('phone'))] }] });
    close();
  }
  return (
    <Sheet
      title={translate('shareContact')}
      close={close}
      foot={
        <button type="submit" form={FORM} class="main">
          <span>{translate('send')}</span>
        </button>
      }
    >
      <form id={FORM} onSubmit={send} class="asking">
        <label class="asked">
          {translate('contactName')}
          <input class="field" name="name" dir="auto" required maxLength={80} defaultValue="Hodan Ali" />
        </label>
        <label class="asked">
          {translate('contactPhone')}
          <input class="field" name="phone" type="tel" dir="ltr" required maxLength={20} defaultValue="+252615550199" />
        </label>
      </form>
    </Sheet>
  );
}

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

/** A file as a message with a caption; undefined: it is too large. `captioned`: the caption goes with it. */
export async function fileMessage(
  file: globalThis.File,
  caption: string,
): Promise<{ readonly message: object; readonly captioned: boolean } | undefined> {
  if (file.size > MOST_BYTES) return undefined;
  const mimeType = file.type || 'application/octet-stream';
  const kind = KINDS.find(([start]) => mimeType.startsWith(start))?.[1] ?? 'document';
  const captioned = caption !== '' && kind !== 'audio' && kind !== 'sticker';
  const content = { base64: await base64Of(file), mimeType, filename: file.name, ...(captioned && { caption }) };
  return { message: { [kind]: content }, captioned };
}
