import { randomUUID } from 'node:crypto';
import { createPartnerStore, newStoreProblems, workspaceIdOf } from '../../application/access/partnerStores.js';
import { refuse } from '../../domain/decider.js';
import { partner } from '../../domain/partners/partner.js';
import {
  type CreateStore,
  createStore as create,
  reinstateStore as reinstate,
  store,
  suspendStore as suspend,
} from '../../domain/stores/store.js';
import { stores } from '../../projections/stores.js';
import { type AdminWork, aboutStore } from './context.js';
import { Fields } from './input.js';
import { listAll } from './listing.js';
import { checkPlan } from './partners.js';

const LOCALES = ['en', 'so', 'ar'] as const;

function particulars(fields: Fields): Omit<CreateStore, 'planKey'> {
  const name = fields.text('name');
  const owner = { email: fields.text('ownerEmail'), name: fields.text('ownerName') };
  const country = fields.text('country');
  if (!/^[^@\s]+@[^@\s]+$/.test(owner.email)) fields.problem('ownerEmail', 'must be an e-mail address', owner.email);
  for (const [field, value, most] of [
    ['name', name, 120],
    ['ownerName', owner.name, 120],
    ['ownerEmail', owner.email, 320],
  ] as const)
    if (value.length > most) fields.problem(field, `must be at most ${most} characters`);
  const timezone = fields.text('timezone');
  const locale = fields.oneOf('locale', LOCALES, 'en');
  return { name, owner, country: country.toUpperCase(), timezone, locale };
}

/** The plan given, or else the partner's default. */
async function planOf(work: AdminWork, partnerId: string | undefined, given: string | undefined): Promise<string> {
  const commands = work.commands();
  const planKey =
    given ??
    (await commands.query(partner, partnerId ?? '', (found) =>
      found.status === 'absent' ? refuse('not_found', `There is no partner ${partnerId}.`) : found.planKey,
    ));
  await checkPlan(commands, planKey);
  return planKey;
}

/**
 * `{name, ownerEmail, ownerName, country, timezone, locale?, plan?}` with `partner` and `externalRef` for a partner's
 * store, on its default plan; alone, `plan` is required → `{workspaceId, created}`.
 */
export async function createStore(work: AdminWork, input: unknown) {
  const fields = new Fields(input);
  const about = particulars(fields);
  const partnerId = fields.optionalText('partner');
  const externalRef = partnerId === undefined ? undefined : fields.text('externalRef');
  if (externalRef !== undefined && !/^[A-Za-z0-9._:-]{1,255}$/.test(externalRef))
    fields.problem('externalRef', "must be 1–255 letters, digits, '.', '_', ':' and '-'", externalRef);
  for (const { location, message, value } of newStoreProblems({ ...about, ...(externalRef && { externalRef }) }, ''))
    fields.problem(location!, message, value);
  const given = partnerId === undefined ? fields.text('plan') : fields.optionalText('plan');
  fields.check();
  const planKey = await planOf(work, partnerId, given);
  if (partnerId !== undefined && externalRef !== undefined)
    return createPartnerStore(work.commands({ partnerId, workspaceId: workspaceIdOf(partnerId, externalRef) }), {
      ...about,
      planKey,
      partnerId,
      externalRef,
    });
  const workspaceId = randomUUID();
  await work.commands({ workspaceId }).decide(store, workspaceId, create({ ...about, planKey }));
  return { workspaceId, created: true };
}

/** `{workspace, reason?}`: read-only until the operator reinstates it. */
export async function suspendStore(work: AdminWork, input: unknown) {
  const fields = new Fields(input);
  const workspaceId = fields.text('workspace');
  const reason = fields.optionalText('reason');
  fields.check();
  const command = reason === undefined ? {} : { reason };
  await work.commands(await aboutStore(work, workspaceId)).decide(store, workspaceId, suspend(command));
  return { workspaceId, status: 'suspended' };
}

/** `{workspace}` */
export async function reinstateStore(work: AdminWork, input: unknown) {
  const fields = new Fields(input);
  const workspaceId = fields.text('workspace');
  fields.check();
  const commands = work.commands(await aboutStore(work, workspaceId));
  await commands.decide(store, workspaceId, reinstate());
  return { workspaceId, status: await commands.query(store, workspaceId, ({ status }) => status) };
}

/** `{partner?}`; newest first. */
export async function listStores({ reads }: AdminWork, input: unknown) {
  const fields = new Fields(input);
  const partnerId = fields.optionalText('partner');
  fields.check();
  const where = partnerId === undefined ? {} : { where: { partnerId } };
  const { bodies, more } = await listAll(reads, stores, { ...where, sort: ['-createdAt'] });
  return { stores: bodies, more };
}
