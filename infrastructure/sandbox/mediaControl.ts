/** The sandbox's own view of its files: shown on the page, made to expire, forgotten. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Journal } from './journal.js';
import type { SandboxMediaStore } from './media.js';

export interface MediaControlDependencies {
  readonly media: SandboxMediaStore;
  readonly journal: Journal;
}

/** What the page shows in place; everything else is only given to be saved. */
const SHOWN = /^(image\/(jpeg|png|webp)|audio\/|video\/)/;

const unknown = (reply: FastifyReply): FastifyReply => reply.status(404).send({ error: 'There is no such file.' });

export function mediaControl(app: FastifyInstance, { media, journal }: MediaControlDependencies): void {
  const idOf = (request: { params: unknown }): string => (request.params as { id: string }).id;

  app.get('/sandbox/media', async () => ({ media: media.list() }));

  app.get('/sandbox/media/:id', async (request, reply) => {
    const found = media.find(idOf(request));
    if (found === undefined) return unknown(reply);
    const { id, mimeType, size, filename = id } = found;
    const shown = SHOWN.test(mimeType);
    // Whatever was uploaded, it is never a page of this address.
    reply
      .header('content-security-policy', "sandbox; default-src 'none'")
      .header('x-content-type-options', 'nosniff')
      .header('content-length', size)
      .type(shown ? mimeType : 'application/octet-stream');
    if (!shown) reply.header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(filename)}`);
    return reply.send(media.read(id));
  });

  /** Places that were given out until now are not good any more; a new one is. */
  app.post('/sandbox/media/:id/expire', async (request, reply) => {
    if (media.find(idOf(request)) === undefined) return unknown(reply);
    media.expire(idOf(request));
    return reply.status(204).send();
  });

  /** As when the channel's days are over: the id is not known any more. */
  app.delete('/sandbox/media/:id', async (request, reply) => {
    const entry = media.remove(idOf(request));
    if (entry === undefined) return unknown(reply);
    await journal.append(entry);
    return reply.status(204).send();
  });
}
