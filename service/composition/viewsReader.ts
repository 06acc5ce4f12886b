import type { DocumentStore } from '../../engine/ports/documents.js';
import { openEmbeddedReadModels } from '../../infrastructure/sqlite/readModels/embeddedReadModels.js';
import { openMongo } from './servers.js';

/** Where the read models are: a file of the data folder, or a server. Can be told to another thread. */
export type ViewsPlace = { readonly file: string } | { readonly url: string };

/** The read models, for reading beside those who keep them. Rejects with StoreUnavailable when the server is away. */
export async function openViews(place: ViewsPlace): Promise<DocumentStore> {
  if ('file' in place) return openEmbeddedReadModels(place.file, { readonly: true, name: 'views.db' });
  return openMongo(place.url, 'views');
}
