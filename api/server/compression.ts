/** A text in the encodings that clients accept, each created at first use and cached. */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { once } from '../http/once.js';

/** The tenth part of the size in some 20 ms, on a thread of Node's own; a better one takes ten times as long. */
const BROTLI_QUALITY = 5;

export interface Form {
  readonly content: string | Buffer;
  /** Absent: as it is. */
  readonly encoding?: 'br' | 'gzip';
}

/**
 * Returns true if an Accept-Encoding accepts this coding: it or `*` is named with a weight above 0. (RFC 9110, 12.5.3.)
 */
function takes(accepted: string, coding: string): boolean {
  const weights = new Map<string, number>();
  for (const one of accepted.split(',')) {
    const [name = '', weight] = one.split(';');
    weights.set(name.trim().toLowerCase(), weight === undefined ? 1 : Number(/^\s*q=([\d.]+)\s*$/i.exec(weight)?.[1]));
  }
  return (weights.get(coding) ?? weights.get('*') ?? 0) > 0;
}

/** Answers the smallest form of the text that this Accept-Encoding takes. */
export function compressed(text: string): (accepted: string | undefined) => Promise<Form> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const forms = {
    br: once(() => promisify(brotliCompress)(text, { params })),
    gzip: once(() => promisify(gzip)(text)),
  };
  return async (accepted = '') => {
    for (const encoding of ['br', 'gzip'] as const)
      if (takes(accepted, encoding)) return { content: await forms[encoding](), encoding };
    return { content: text };
  };
}
