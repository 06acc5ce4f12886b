/** Files that a customer sends: given as base64, or one of the sandbox's own. */
import { wellFormed } from '../channel/cleanText.js';
import { record } from '../untypedJson.js';
import { WrongBody } from './bodyText.js';
import type { CustomerContext, CustomerFile, CustomerMessage } from './customerContext.js';
import { SAMPLES } from './samples.js';

const SENT = {
  image: { type: 'image', sample: SAMPLES.image },
  video: { type: 'video', sample: SAMPLES.video },
  audio: { type: 'audio', sample: SAMPLES.voice },
  voice: { type: 'audio', sample: SAMPLES.voice },
  document: { type: 'document', sample: SAMPLES.document },
  sticker: { type: 'sticker', sample: SAMPLES.sticker },
} as const;
type SentFile = keyof typeof SENT;

const FILENAME = 240;

/** Neither text nor object: the sandbox's own file. */
function fileOf(kind: SentFile, value: unknown): CustomerFile {
  const given = record(value) ?? {};
  const { sample } = SENT[kind];
  const { base64, mimeType = sample.mimeType, filename = base64 === undefined ? sample.filename : undefined } = given;
  if (typeof mimeType !== 'string') throw new WrongBody(`${kind}.mimeType is a text.`);
  if (base64 !== undefined && (typeof base64 !== 'string' || !/^[A-Za-z0-9+/\s]*={0,2}$/.test(base64)))
    throw new WrongBody(`${kind}.base64 is not base64.`);
  return {
    content: Buffer.from(base64 ?? sample.base64, 'base64'),
    mimeType,
    ...(typeof filename === 'string' ? { filename: wellFormed(filename).slice(0, FILENAME) } : {}),
  };
}

/**
 * `true`, or {base64?, mimeType?, filename?, caption?, sha256?}. The type is the one that the customer's phone declares; the bytes are not
 * checked. `sha256`: a wrong one on purpose, base64.
 */
export const customerMedia =
  (kind: SentFile) =>
  async (value: unknown, { store }: CustomerContext): Promise<CustomerMessage> => {
    const file = fileOf(kind, value);
    const { id, sha256 } = await store(file);
    const { type } = SENT[kind];
    const { caption, sha256: lie } = record(value) ?? {};
    return {
      type,
      [type]: {
        id,
        mime_type: file.mimeType,
        // The channel writes it in base64 here, and in hex where the file is.
        sha256: typeof lie === 'string' ? lie : Buffer.from(sha256, 'hex').toString('base64'),
        ...(typeof caption === 'string' ? { caption } : {}),
        ...(type === 'document' && file.filename !== undefined ? { filename: file.filename } : {}),
        ...(type === 'audio' ? { voice: kind === 'voice' } : {}),
        ...(type === 'sticker' ? { animated: false } : {}),
      },
    };
  };
