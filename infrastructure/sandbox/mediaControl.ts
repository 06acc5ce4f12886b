/** The sandbox's own view of its files: shown on the page, made to expire, forgotten. */
import type { Journal } from './journal.js';
import type { SandboxMediaStore } from './media.js';
import { Reply, type SandboxRequest, type SandboxRoutes } from './routes.js';

export interface MediaControlDependencies {
  readonly media: SandboxMediaStore;
  readonly journal: Journal;
}

/** Types that the page shows inline; all others are downloads. */
const SHOWN = /^(image\/(jpeg|png|webp)|audio\/|video\/)/;

const unknown = (): Reply => new Reply(404, { error: 'There is no such file.' });

export function mediaControl(app: SandboxRoutes, { media, journal }: MediaControlDependencies): void {
  const idOf = ({ params }: SandboxRequest): string => params.id!;

  app.get('/sandbox/media', async () => ({ media: media.list() }));

  app.get('/sandbox/media/:id', async (request) => {
    const found = media.find(idOf(request));
    if (found === undefined) return unknown();
    const { id, mimeType, size, filename = id } = found;
    const shown = SHOWN.test(mimeType);
    // Whatever was uploaded, it is never a page of this address.
    return new Reply(200, media.read(id), {
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'content-length': String(size),
      'content-type': shown ? mimeType : 'application/octet-stream',
      ...(!shown && { 'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(filename)}` }),
    });
  });

  /** Places that were given out until now are not good any more; a new one is. */
  app.post('/sandbox/media/:id/expire', async (request) => {
    if (media.find(idOf(request)) === undefined) return unknown();
    media.expire(idOf(request));
    return new Reply(204);
  });

  /** As when the channel's days are over: the id is not known any more. */
  app.delete('/sandbox/media/:id', async (request) => {
    const entry = media.remove(idOf(request));
    if (entry === undefined) return unknown();
    await journal.append(entry);
    return new Reply(204);
  });
}
