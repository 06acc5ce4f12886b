import { createPartnerStore, newStoreProblems, workspaceIdOf } from '../../application/access/partnerStores.js';
import { refuse } from '../../domain/decider.js';
import { defined } from '../../domain/defined.js';
import { partner } from '../../domain/partners/partner.js';
import { createStore, refuseTestKeys, reinstateStore, store, suspendStore } from '../../domain/stores/store.js';
import { stores } from '../../projections/stores.js';
import { type AdminWork, aboutStore } from './context.js';
import { type AdminCommand, adminCommand, adminQuery, type Option, type OptionWords } from './declaration.js';
import { listAll, paging } from './listPages.js';
import { oneOf, text, workspace } from './options.js';
import { checkPlan } from './partners.js';
import { listText, table } from './text.js';

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

/** Required text of at most so many characters. */
const short = (
  most: number,
  words: OptionWords,
  form?: { readonly is: RegExp; readonly must: string },
): Option<string> => ({
  ...words,
  required: true,
  check(fields, name) {
    const value = fields.text(name);
    if (form !== undefined && !form.is.test(value)) fields.problem(name, form.must, value);
    if (value.length > most) fields.problem(name, `must be at most ${most} characters`);
    return value;
  },
});

const ADDRESS = { is: /^[^@\s]+@[^@\s]+$/, must: 'must be an e-mail address' };
const REFERENCE = /^[A-Za-z0-9._:-]{1,255}$/;

const create = adminCommand({
  name: 'stores.create',
  about: 'Create a store, with or without a partner.',
  options: {
    name: short(120, { value: 'N', about: 'Display name.' }),
    ownerEmail: short(320, { value: 'E', about: "The owner's e-mail address." }, ADDRESS),
    ownerName: short(120, { value: 'N', about: "The owner's name." }),
    country: text({ value: 'CC', about: 'Country code (ISO 3166-1 alpha-2).', required: true }),
    timezone: text({ value: 'TZ', about: 'Time zone (IANA), such as Africa/Mogadishu.', required: true }),
    locale: oneOf({ value: 'L', about: 'Language: en, so or ar. Default: en.' }, ['en', 'so', 'ar'], 'en'),
    partner: text({ value: 'ID', about: 'Id of the partner that runs the store.' }),
    externalRef: text({ value: 'R', about: "The partner's own id of the store. Required with --partner." }),
    plan: text({ value: 'K', about: "Plan key. Default: the partner's plan. Required without --partner." }),
  },
  check({ partner: partnerId, externalRef, ...about }, fields) {
    const country = about.country.toUpperCase();
    if (partnerId === undefined) fields.present('plan');
    else fields.present('externalRef');
    const reference = partnerId === undefined ? undefined : externalRef;
    if (reference !== undefined && !REFERENCE.test(reference))
      fields.problem('externalRef', "must be 1–255 letters, digits, '.', '_', ':' and '-'", reference);
    const owner = { email: about.ownerEmail, name: about.ownerName };
    const text = { ...about, owner, country, ...(reference && { externalRef: reference }) };
    for (const { location, message, value } of newStoreProblems(text, '')) fields.problem(location!, message, value);
  },
  async run(work, { partner: partnerId, externalRef, plan, ownerEmail, ownerName, ...texts }) {
    const owner = { email: ownerEmail, name: ownerName };
    const { name, timezone, locale } = texts;
    const planKey = await planOf(work, partnerId, plan);
    const about = { name, owner, country: texts.country.toUpperCase(), timezone, locale, planKey };
    if (partnerId !== undefined && externalRef !== undefined) {
      const commands = work.commands({ partnerId, workspaceId: workspaceIdOf(partnerId, externalRef) });
      return createPartnerStore(commands, { ...about, partnerId, externalRef });
    }
    const workspaceId = work.newId('store');
    await work.commands({ workspaceId }).decide(store, workspaceId, createStore(about));
    return { workspaceId, created: true };
  },
  text: ({ workspaceId, created }) => `Store ${workspaceId}${created ? '' : ' (already exists, unchanged)'}`,
});

const list = adminQuery({
  name: 'stores.list',
  about: 'List the stores, newest first.',
  list: 'stores',
  options: { partner: text({ value: 'ID', about: 'Only stores of this partner.' }), ...paging },
  async run({ reads }, { partner: partnerId, ...page }) {
    const where = partnerId === undefined ? {} : { where: { partnerId } };
    const { bodies, ...rest } = await listAll(reads, stores, { ...where, sort: ['-createdAt'] }, page);
    return { stores: bodies, ...rest };
  },
  text: ({ stores, more }) =>
    listText(
      table(
        ['WORKSPACE', 'STATUS', 'REFERENCE', 'NAME'],
        stores.map(({ workspaceId, status, externalRef, name }) => [workspaceId, status, externalRef ?? '-', name]),
        'There are no stores.',
      ),
      more,
    ),
});

const moved = ({ workspaceId, status }: { readonly workspaceId: string; readonly status: string }): string =>
  `Store ${workspaceId} is ${status}.`;

const suspend = adminCommand({
  name: 'stores.suspend',
  about: 'Make a store read-only. Only the operator can undo it.',
  options: { workspace, reason: text({ value: 'R', about: 'Reason. Stored in the history.' }) },
  async run(work, { workspace: workspaceId, reason }) {
    const decision = suspendStore(defined({ reason }));
    await work.commands(await aboutStore(work, workspaceId)).decide(store, workspaceId, decision);
    return { workspaceId, status: 'suspended' };
  },
  text: moved,
});

const reinstate = adminCommand({
  name: 'stores.reinstate',
  about: "End the operator's suspension of a store.",
  options: { workspace },
  async run(work, { workspace: workspaceId }) {
    const commands = work.commands(await aboutStore(work, workspaceId));
    await commands.decide(store, workspaceId, reinstateStore());
    return { workspaceId, status: await commands.query(store, workspaceId, ({ status }) => status) };
  },
  text: moved,
});

const testKeys = adminCommand({
  name: 'stores.testKeys',
  words: ['admin', 'stores', 'test-keys'],
  about: 'Disable or enable test mode for a store.',
  options: {
    workspace,
    set: oneOf({ value: 'refuse|accept', about: 'Whether test mode keys are accepted.', required: true }, [
      'refuse',
      'accept',
    ]),
  },
  async run(work, { workspace: workspaceId, set }) {
    const commands = work.commands(await aboutStore(work, workspaceId));
    await commands.decide(store, workspaceId, refuseTestKeys(set === 'refuse'));
    return { workspaceId, testKeys: set === 'refuse' ? 'refused' : 'accepted' };
  },
  text: ({ workspaceId, testKeys }) => `Store ${workspaceId}: test mode keys are ${testKeys}.`,
});

export const storeCommands: readonly AdminCommand[] = [create, list, suspend, reinstate, testKeys];
