/** A file as the channel takes it: one part of a form that is sent as it is read. */
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ChannelMedia } from '../../application/ports/channelMedia.js';

export interface MediaForm {
  readonly contentType: string;
  readonly size: number;
  readonly content: Readable;
}

type Outgoing = Parameters<ChannelMedia['upload']>[1];

/** A name as a multipart header writes it. */
const quoted = (name: string): string =>
  name.replace(/[\r\n"]/g, (one) => (one === '"' ? '%22' : one === '\r' ? '%0D' : '%0A'));

/** The form with a file in it, whose length is known before it is read. */
export async function mediaForm({ filename, mimeType, size: fileSize, content }: Outgoing): Promise<MediaForm> {
  const boundary = `suuq-${randomBytes(16).toString('hex')}`;
  const field = (name: string, value: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const head = Buffer.from(
    `${field('messaging_product', 'whatsapp')}${field('type', mimeType)}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quoted(filename)}"\r\nContent-Type: ${mimeType}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const file = await content();
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield head;
    yield* file;
    yield tail;
  }
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    size: head.length + fileSize + tail.length,
    content: Readable.from(bytes(), { objectMode: false }).once('close', () => file.destroy()),
  };
}
