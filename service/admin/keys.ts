import { makeKey } from '../../application/access/keys.js';
import { refuse } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { createPartnerKey, partner, revokePartnerKey } from '../../domain/partners/partner.js';
import { createStoreKey, revokeStoreKey, store } from '../../domain/stores/store.js';
import { apiKeys } from '../../projections/apiKeys.js';
import { partners } from '../../projections/partners.js';
import { stores } from '../../projections/stores.js';
import { aboutStore } from './context.js';
import { type AdminCommand, adminCommand, adminQuery } from './declaration.js';
import { listAll, paging } from './listPages.js';
import { oneOf, text, texts } from './options.js';
import { listText, table } from './text.js';

const owner = {
  partner: text({ value: 'ID', about: 'Partner id, for a key of a partner.' }),
  workspace: text({ value: 'ID', about: 'Workspace id, for a key of a store.' }),
};

const create = adminCommand({
  name: 'keys.create',
  about: 'Create an API key, and show it once.',
  secrets: ['key'],
  options: {
    ...owner,
    mode: oneOf({ value: 'live|test', about: 'Mode of the key.', required: true }, ['live', 'test']),
    kind: oneOf(
      { value: 'secret|publishable', about: 'Kind of the key. Default: secret.' },
      ['secret', 'publishable'],
      'secret',
    ),
    scopes: texts({
      typedAs: 'scope',
      value: 'S',
      about: 'Permission, such as commerce:manage. Repeatable.',
    }),
    origins: texts({
      value: 'O,…',
      about: 'Origins that may frame the embed page (publishable key), such as https://shop.example.',
    }),
  },
  either: { of: ['partner', 'workspace'], required: true },
  /** The key is in this answer only: what is stored is its hash, and the key under the master key. */
  async run(work, { partner: partnerId, workspace: workspaceId, mode, kind, scopes, origins }) {
    const owner = partnerId === undefined ? 'workspace' : 'partner';
    const { plain, key } = makeKey(work.secretBox, { owner, kind, mode, scopes, origins });
    if (partnerId !== undefined) await work.commands({ partnerId }).decide(partner, partnerId, createPartnerKey(key));
    else await work.commands(await aboutStore(work, workspaceId!)).decide(store, workspaceId!, createStoreKey(key));
    return { id: key.keyId, key: plain, kind, mode, scopes };
  },
  text: ({ id, key }) => `${key}\n\nKey ${id}. Store it now: it is not shown again.`,
});

const revoke = adminCommand({
  name: 'keys.revoke',
  about: 'Revoke an API key.',
  final: 'id',
  options: { id: text({ value: 'KEYID', about: "The key's id.", required: true }) },
  /** Requests with the key are refused from this answer on; revoking again is no error. */
  async run(work, { id }) {
    const [found] = await work.reads.find(apiKeys, { where: { keyId: id }, limit: 1 });
    if (found === undefined)
      return refuse('not_found', `There is no key ${id}. Run 'suuq admin keys list' to list the ids.`);
    const { partnerId, workspaceId } = found.body;
    if (partnerId !== undefined) await work.commands({ partnerId }).decide(partner, partnerId, revokePartnerKey(id));
    else await work.commands(await aboutStore(work, workspaceId!)).decide(store, workspaceId!, revokeStoreKey(id));
    return { id, revoked: true };
  },
  text: ({ id }) => `Key ${id} is revoked.`,
});

const list = adminQuery({
  name: 'keys.list',
  about: 'List API keys. Secrets are not shown.',
  list: 'keys',
  forStore: true,
  options: { ...owner, ...paging },
  either: { of: ['partner', 'workspace'], required: false },
  /** Oldest first, revoked ones too; `ownerName` where the partner or store is known. */
  async run({ reads }, { partner: partnerId, workspace: workspaceId, ...page }) {
    const ownerId = partnerId ?? workspaceId;
    const where = ownerId === undefined ? {} : { where: { ownerId } };
    const { bodies, ...rest } = await listAll(reads, apiKeys, { ...where, sort: ['createdAt'] }, page);
    const [ofPartners, ofStores] = await Promise.all([
      reads.getMany(partners, [...new Set(bodies.flatMap((key) => key.partnerId ?? []))]),
      reads.getMany(stores, [...new Set(bodies.flatMap((key) => (key.partnerId ? [] : (key.workspaceId ?? []))))]),
    ]);
    const nameOf = ({ partnerId, workspaceId = '' }: (typeof bodies)[number]): string | undefined =>
      (partnerId === undefined ? ofStores.get(workspaceId) : ofPartners.get(partnerId))?.body.name;
    return { keys: bodies.map((key) => ({ ...key, ...defined({ ownerName: nameOf(key) }) })), ...rest };
  },
  text: ({ keys, more }) =>
    listText(
      table(
        ['ID', 'OWNER', 'KIND', 'MODE', 'LAST4', 'STATUS', 'SCOPES', 'ORIGINS'],
        keys.map((key) => [
          key.keyId,
          key.partnerId === undefined ? `workspace ${key.workspaceId}` : `partner ${key.partnerId}`,
          key.kind,
          key.mode,
          key.last4,
          key.revokedAt === undefined ? 'active' : 'revoked',
          key.scopes.join(' '),
          (key.origins ?? []).join(' '),
        ]),
        'There are no keys.',
      ),
      more,
    ),
});

export const keyCommands: readonly AdminCommand[] = [create, revoke, list];
