/** Uploads and downloads of files, streamed and never buffered whole. */

/** A file to upload: its bytes, and the name that they go by. A stream can be sent once, so such a call is never made again. */
export interface Upload {
  readonly content: Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  readonly filename: string;
  /** Media type of the bytes; the service checks it. */
  readonly mimeType?: string;
}

/** A body of multipart/form-data: with its content type, unless fetch writes that itself. */
export interface FormBody {
  readonly body: FormData | ReadableStream<Uint8Array>;
  readonly contentType?: string;
}

/** As forms write names: what would end the field is percent-encoded. (WHATWG, 'multipart/form-data encoding'.) */
const quoted = (name: string): string =>
  name.replace(/["\r\n]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);

/** The stream between the lines of a form. */
function framed(content: ReadableStream<Uint8Array>, before: string, after: string): ReadableStream<Uint8Array> {
  const text = new TextEncoder();
  const reader = content.getReader();
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(text.encode(before));
    },
    async pull(controller) {
      const { done, value } = await reader.read();
      if (!done) return controller.enqueue(value);
      controller.enqueue(text.encode(after));
      controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

export const isStream = ({ content }: Upload): boolean => content instanceof ReadableStream;

export function formOf(field: string, upload: Upload): FormBody {
  const { content, filename, mimeType = 'application/octet-stream' } = upload;
  if (content instanceof ReadableStream) {
    const boundary = `suuq-${crypto.randomUUID()}`;
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${quoted(filename)}"\r\nContent-Type: ${mimeType}\r\n\r\n`;
    return {
      body: framed(content, head, `\r\n--${boundary}--\r\n`),
      contentType: `multipart/form-data; boundary=${boundary}`,
    };
  }
  const form = new FormData();
  form.set(field, content instanceof Blob ? content : new Blob([content], { type: mimeType }), filename);
  return { body: form };
}

/** A file as it was answered. */
export interface FileAnswer {
  /** 200: whole file; 206: requested range; 304: not modified. */
  readonly status: 200 | 206 | 304;
  readonly mimeType: string;
  /** Size of the content in bytes; undefined if the answer does not give it. */
  readonly size: number | undefined;
  /** With its quotes: to be sent as `ifNoneMatch` or `ifRange`. */
  readonly etag: string | undefined;
  /** The range and the full size, as in `Content-Range`; present for a range only. */
  readonly range: string | undefined;
  /** The bytes as they come, as fast as they are read; null with 304. */
  readonly stream: ReadableStream<Uint8Array> | null;
  /** All of them. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
}

export function fileAnswer(response: Response): FileAnswer {
  const field = (name: string): string | undefined => response.headers.get(name) ?? undefined;
  const size = field('content-length');
  return {
    status: response.status as FileAnswer['status'],
    mimeType: field('content-type') ?? '',
    size: size === undefined ? undefined : Number(size),
    etag: field('etag'),
    range: field('content-range'),
    stream: response.body as FileAnswer['stream'],
    bytes: async () => new Uint8Array(await response.arrayBuffer()),
  };
}
