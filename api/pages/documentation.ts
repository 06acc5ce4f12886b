/** The built documentation: pages, assets and downloads, compressed by the build. */
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Request, Response } from 'express';
import { MANIFEST, type SiteFile, type SiteManifest } from './manifest.js';

/** `dist/docs`, next to the compiled server. */
const FOLDER = fileURLToPath(new URL('../../docs/', import.meta.url));

/** In the order in which they are preferred. */
const FORMS = [
  ['br', 'br'],
  ['gzip', 'gz'],
] as const;

export interface Documentation {
  /** Every path that it answers. */
  readonly paths: readonly string[];
  fileAt(path: string): SiteFile | undefined;
  /** Answers with the file, or 304 where the client has it. */
  send(file: SiteFile, request: Request, response: Response): Promise<void>;
}

/** Cache header by kind of file: hashed ones are cached for a year, all others are revalidated. */
const CACHING = { hashed: 'public, max-age=31536000, immutable', revalidated: 'no-cache' } as const;

/** Throws when the documentation is not built. */
export function openDocumentation(): Documentation {
  if (!existsSync(FOLDER + MANIFEST))
    throw new Error(`The documentation is missing in ${FOLDER}. Run 'npm run build'.`);
  const files = new Map(Object.entries(JSON.parse(readFileSync(FOLDER + MANIFEST, 'utf8')) as SiteManifest));
  return {
    paths: [...files.keys()],
    fileAt: (path) => files.get(path),
    async send({ type, tag, isCompressed, isCacheable }, request, response) {
      response.set('Cache-Control', CACHING[isCacheable ? 'hashed' : 'revalidated']).set('Content-Type', type);
      if (isCompressed) response.vary('Accept-Encoding');
      // The service's order, whatever the client's is: browsers name the larger form first.
      const form = isCompressed ? FORMS.find(([encoding]) => request.acceptsEncodings(encoding)) : undefined;
      // Weak: the same page, in whichever form.
      response.set('ETag', `W/"${tag}"`);
      if (request.fresh) {
        response.status(304).end();
        return;
      }
      const bytes = await readFile(FOLDER + (form === undefined ? tag : `${tag}.${form[1]}`)).catch(
        (error: unknown) => {
          // The error answer is not a page and must not be cached.
          for (const name of ['Cache-Control', 'ETag', 'Vary']) response.removeHeader(name);
          throw error;
        },
      );
      if (form !== undefined) response.set('Content-Encoding', form[0]);
      response.status(200).set('Content-Length', String(bytes.length)).end(bytes);
    },
  };
}
