/**
 * Samples of stored events in test/events/samples. Each optional field is present in one and absent in another, and
 * each possible shape of a field occurs in one. Recorded samples never change: `npm run events` only adds missing ones.
 */
import { type EventDefinition, type EventDefinitions, evolvedOf } from '../../../domain/storedEvents.js';
import { upcast } from '../../../engine/upcasting.js';
import { specMeta } from '../spec/given.js';
import type { Shape } from './shapes.js';
import { invalid } from './validity.js';

export interface Sample {
  readonly version: number;
  readonly data: object;
}
/** Samples by event type. */
export type Samples = Readonly<Record<string, readonly Sample[]>>;

const HEX = 'a3f5c0de'.repeat(8);
const PHONE = '+252611234567';
const TEXTS: Readonly<Record<string, string>> = {
  address: 'Wadada Maka al-Mukarama 12',
  closes: '17:30',
  contactPhone: PHONE,
  country: 'SO',
  currency: 'USD',
  customer: PHONE,
  customerName: 'Amina Warsame',
  customerPhone: PHONE,
  day: '2026-03-01',
  email: 'amina@shop.example',
  embedOrigin: 'https://shop.example',
  emoji: '🙂',
  fileId: 'file-1',
  filename: 'shoe.jpg',
  from: HEX,
  hash: HEX,
  imageUrls: 'https://shop.example/shoe.jpg',
  language: 'en',
  last4: 'a1b2',
  mimeType: 'image/jpeg',
  name: 'Kabo buluug ah',
  opens: '08:00',
  origins: 'https://shop.example',
  payer: PHONE,
  phone: PHONE,
  phones: PHONE,
  pickupAddress: 'Suuqa Bakaaraha',
  primaryColor: '#0A7F5A',
  secretLast4: 'a1b2',
  sha256: HEX,
  timezone: 'Africa/Mogadishu',
  tokenHash: HEX,
  url: 'https://shop.example/hooks',
};
/** Returns a text for a field by its name; ids look like `message-1`. */
const textOf = (name: string): string =>
  TEXTS[name] ?? (/ids?$/i.test(name) ? `${name.replace(/ids?$/i, '').toLowerCase() || 'id'}-1` : `the ${name}`);
const NUMBERS: Readonly<Record<string, number>> = { latitude: 2.0469, longitude: 45.3182, quantity: 2, percentOff: 15 };

const isOptional = (shape: Shape, name: string): boolean =>
  !((shape.required ?? []) as readonly string[]).includes(name);
const fieldsOf = (shape: Shape) => Object.entries((shape.properties ?? {}) as Readonly<Record<string, Shape>>);
const optionsOf = (shape: Shape) => shape.anyOf as readonly Shape[] | undefined;

/** `depth`: number of levels with optional fields. `pick`: index among several shapes or values. */
interface Choice {
  readonly depth: number;
  readonly pick: number;
}

function made(shape: Shape, name: string, choice: Choice): unknown {
  const { depth, pick } = choice;
  const options = optionsOf(shape);
  if (options !== undefined) return made(options[pick % options.length]!, name, choice);
  if ('const' in shape) return shape.const;
  if (shape.enum !== undefined) return (shape.enum as readonly unknown[])[pick % (shape.enum as unknown[]).length];
  switch (shape.type) {
    case 'string':
      return shape.format === 'date-time' ? '2026-03-01T09:00:00.000Z' : textOf(name);
    case 'integer':
    case 'number':
      return NUMBERS[name] ?? (name.endsWith('Cents') ? 1250 : 1);
    case 'boolean':
      return pick % 2 === 0;
    case 'null':
      return null;
    case 'array': {
      const items = shape.items as Shape;
      return (optionsOf(items) ?? [items]).map((_, at, all) =>
        made(items, name, all.length > 1 ? { depth, pick: at } : choice),
      );
    }
    default:
      return madeFields(shape, choice);
  }
}

function madeFields(shape: Shape, { depth, pick }: Choice): object {
  if (shape.properties === undefined) return { area: 'Hodan' };
  return Object.fromEntries(
    fieldsOf(shape)
      .filter(([name]) => depth > 0 || !isOptional(shape, name))
      .map(([name, inner]) => [name, made(inner, name, { depth: depth - 1, pick })]),
  );
}

/**
 * Lists what a sample shows of a shape: which optional fields are present or absent, and which of several shapes occur.
 */
function shows(shape: Shape, value: unknown, path = ''): string[] {
  const options = optionsOf(shape);
  if (options !== undefined) {
    const at = options.findIndex((option) => invalid(option, value) === undefined);
    return at < 0 ? [] : [`${path}|${at}`, ...shows(options[at]!, value, `${path}|${at}`)];
  }
  if (Array.isArray(value)) return value.flatMap((one) => shows(shape.items as Shape, one, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [];
  return fieldsOf(shape).flatMap(([name, inner]) => {
    const at = `${path}.${name}`;
    const field = (value as Readonly<Record<string, unknown>>)[name];
    if (field === undefined) return [`${at} absent`];
    return [...(isOptional(shape, name) ? [`${at} there`] : []), ...shows(inner, field, at)];
  });
}

const most = (shape: Shape): number =>
  Math.max(
    1,
    optionsOf(shape)?.length ?? 0,
    ...(optionsOf(shape) ?? []).map(most),
    ...fieldsOf(shape).map(([, inner]) => most(inner)),
    shape.items === undefined ? 0 : most(shape.items as Shape),
  );

const DEEPEST = 6;

/** Generates samples from the shape alone, so that the same shape has the same samples. The fullest come first. */
function* candidates(shape: Shape): Iterable<object> {
  for (let depth = DEEPEST; depth >= 0; depth -= 1)
    for (let pick = 0; pick < most(shape); pick += 1) yield made(shape, '', { depth, pick }) as object;
}

/** Returns samples that show what the recorded ones of this version do not. */
export function missingSamples(event: EventDefinition, recorded: readonly Sample[]): Sample[] {
  const { version } = event;
  const shape = event.data as unknown as Shape;
  const ofVersion = recorded.filter((sample) => sample.version === version);
  const shown = new Set(ofVersion.flatMap(({ data }) => shows(shape, data)));
  const missing: Sample[] = [];
  for (const data of candidates(shape)) {
    const more = shows(shape, data).filter((what) => !shown.has(what));
    if (more.length === 0 && ofVersion.length + missing.length > 0) continue;
    for (const what of more) shown.add(what);
    missing.push({ version, data });
  }
  return missing;
}

/** Returns a sample's data upcast to today's version. */
export function readToday(events: EventDefinitions, type: string, { version, data }: Sample): object {
  const meta = { ...specMeta, ...(version > 1 && { schema: version }) };
  const stored = { id: 'sample', type, data, meta, stream: 'sample-1', revision: 0, position: 0 };
  return upcast(evolvedOf(events), stored).data;
}
