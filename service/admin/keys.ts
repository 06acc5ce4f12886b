import { makeKey } from '../../application/access/keys.js';
import { refuse } from '../../domain/decider.js';
import { createPartnerKey, partner, revokePartnerKey } from '../../domain/partners/partner.js';
import { createStoreKey, revokeStoreKey, store } from '../../domain/stores/store.js';
import { apiKeys } from '../../projections/apiKeys.js';
import { type AdminWork, aboutStore } from './context.js';
import { Fields } from './input.js';
import { listAll } from './listing.js';

const MODES = ['live', 'test'] as const;
const KINDS = ['secret', 'publishable'] as const;

/**
 * `{partner | workspace, mode, kind?, scopes, origins?}` → `{id, key, kind, mode, scopes}`. The key is in this answer only: what is
 * stored is its hash, and the key under the master key.
 */
export async function createKey(work: AdminWork, input: unknown) {
  const fields = new Fields(input);
  fields.either('partner', 'workspace', true);
  const partnerId = fields.optionalText('partner');
  const workspaceId = fields.optionalText('workspace');
  const mode = fields.oneOf('mode', MODES);
  const kind = fields.oneOf('kind', KINDS, 'secret');
  const scopes = fields.texts('scopes');
  const origins = fields.texts('origins');
  fields.check();
  const owner = partnerId === undefined ? 'workspace' : 'partner';
  const { plain, key } = makeKey(work.secretBox, { owner, kind, mode, scopes, origins });
  if (partnerId !== undefined) await work.commands({ partnerId }).decide(partner, partnerId, createPartnerKey(key));
  else await work.commands(await aboutStore(work, workspaceId!)).decide(store, workspaceId!, createStoreKey(key));
  return { id: key.keyId, key: plain, kind, mode, scopes };
}

/** `{id}` → `{id, revoked: true}`. Requests with the key are refused from this answer on; revoking again is no error. */
export async function revokeKey(work: AdminWork, input: unknown) {
  const fields = new Fields(input);
  const id = fields.text('id');
  fields.check();
  const [found] = await work.reads.find(apiKeys, { where: { keyId: id }, limit: 1 });
  if (found === undefined) return refuse('not_found', `There is no key ${id}; 'suuq admin keys list' shows the ids.`);
  const { partnerId, workspaceId } = found.body;
  if (partnerId !== undefined) await work.commands({ partnerId }).decide(partner, partnerId, revokePartnerKey(id));
  else await work.commands(await aboutStore(work, workspaceId!)).decide(store, workspaceId!, revokeStoreKey(id));
  return { id, revoked: true };
}

/** `{partner?, workspace?}`; oldest first, revoked ones too, never the keys themselves. */
export async function listKeys({ reads }: AdminWork, input: unknown) {
  const fields = new Fields(input);
  fields.either('partner', 'workspace', false);
  const ownerId = fields.optionalText('partner') ?? fields.optionalText('workspace');
  fields.check();
  const where = ownerId === undefined ? {} : { where: { ownerId } };
  const { bodies, more } = await listAll(reads, apiKeys, { ...where, sort: ['createdAt'] });
  return { keys: bodies, more };
}
