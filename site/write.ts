/** Writes the files with their compressed forms, and the list of all of them. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { MANIFEST, type SiteFile, type SiteManifest } from '../api/pages/manifest.js';

export interface Written {
  /** Path at the service. */
  readonly path: string;
  readonly type: string;
  readonly content: string;
  /** Its address changes with its content. */
  readonly isCacheable?: true;
}

/** Minimum size for compression, in bytes. */
const WORTH_COMPRESSING = 512;

export const hashOf = (...texts: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text).update('\0');
  return hash.digest('hex').slice(0, 16);
};

const brotli = (bytes: Buffer): Buffer =>
  brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });

/** Under a name of their content: what an earlier build wrote is not compressed again. */
function writeForms(folder: string, tag: string, bytes: Buffer): readonly string[] {
  const isCompressed = bytes.length >= WORTH_COMPRESSING;
  const names = isCompressed ? [tag, `${tag}.br`, `${tag}.gz`] : [tag];
  const forms = [() => bytes, () => brotli(bytes), () => gzipSync(bytes, { level: 9 })];
  for (const [at, name] of names.entries())
    if (!existsSync(join(folder, name))) writeFileSync(join(folder, name), forms[at]!());
  return names;
}

/** Brings the folder to these files; a service that reads it meanwhile finds the old ones until the list is another. */
export function writeSite(folder: string, files: readonly Written[]): void {
  mkdirSync(folder, { recursive: true });
  const manifest: Record<string, SiteFile> = {};
  const written = new Set([MANIFEST]);
  for (const { path, type, content, isCacheable } of files) {
    if (manifest[path] !== undefined) throw new Error(`${path} is written twice`);
    const tag = hashOf(content);
    const names = writeForms(folder, tag, Buffer.from(content));
    for (const name of names) written.add(name);
    manifest[path] = {
      type,
      tag,
      ...(names.length > 1 && { isCompressed: true }),
      ...(isCacheable && { isCacheable }),
    };
  }
  const list: SiteManifest = manifest;
  writeFileSync(join(folder, MANIFEST), JSON.stringify(list));
  for (const name of readdirSync(folder)) if (!written.has(name)) rmSync(join(folder, name));
}
