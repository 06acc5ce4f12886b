/** Creates, edits and deletes a store's message templates, which involves several streams. (Specification 2, 'Templates'.) */
import { type FieldProblem, refuse } from '../../domain/decider.js';
import { kindOf } from '../../domain/files/mediaTypes.js';
import { type CreateTemplate, checkTemplate } from '../../domain/templates/definitionRules.js';
import {
  createTemplate as create,
  type EditTemplate,
  editTemplate as edit,
  deleteTemplate as remove,
  type TemplateDecision,
  template,
  templateIn,
} from '../../domain/templates/template.js';
import type { TemplateDefinition } from '../../domain/templates/templateDefinition.js';
import { nameKey } from '../../domain/templates/templateNames.js';
import { requestSync, templateSync } from '../../domain/templates/templateSync.js';
import type { BoundCommands } from '../../engine/commandHandler/boundCommands.js';
import type { Reads } from '../../engine/projections/reads.js';
import { channelNumbers } from '../../projections/channelNumbers.js';
import { sendableFile } from '../channel/sendableFile.js';
import { useFiles } from '../files/uses.js';
import type { NamesContext } from '../nameHolders.js';
import { createNamed, freeHolderOf } from '../names.js';
import { NOT_INTERNATIONAL, phoneReader } from '../phones.js';
import { templateHolders } from './templateNames.js';

export interface TemplateContext extends NamesContext {
  readonly read: Reads;
  /** Returns the same id for the same name when the request is repeated, see `Request`. */
  newId(name: string): string;
}

/** Refuses `no_channel_number`: templates belong to the account of the store's number. */
async function needNumber({ read, workspaceId }: TemplateContext): Promise<void> {
  const [number] = await read.find(channelNumbers, { where: { workspaceId }, limit: 1 });
  if (number === undefined) refuse('no_channel_number', 'The store has no channel number, which templates require.');
}

const SAMPLE_PLACE = 'body.definition.header.sampleFileId';

/** Refuses `validation_failed` unless the sample of the header is a file of the store, of the header's kind. */
async function checkSample(context: TemplateContext, { header }: TemplateDefinition): Promise<void> {
  if (header?.sampleFileId === undefined) return;
  const file = await sendableFile(context, header.sampleFileId);
  if (file !== undefined && kindOf(file.mimeType) === header.format) return;
  const message =
    file === undefined
      ? 'The store has no such file.'
      : `A file of the type ${file.mimeType} is not valid for a header of the format ${header.format}.`;
  refuse('validation_failed', message, [{ message, location: SAMPLE_PLACE, value: header.sampleFileId }]);
}

/** Marks the sample as used, so that it is retained. Refuses as `checkSample` does. */
const useSample = (context: TemplateContext, { header }: TemplateDefinition): Promise<void> =>
  useFiles(context, header?.sampleFileId === undefined ? [] : [header.sampleFileId], 'template', SAMPLE_PLACE);

/** Returns a problem for every button whose number is impossible in every country. */
export async function phoneProblems({ buttons = [] }: Pick<TemplateDefinition, 'buttons'>): Promise<FieldProblem[]> {
  if (!buttons.some(({ phoneNumber }) => phoneNumber !== undefined)) return [];
  const { international } = await phoneReader();
  return buttons.flatMap(({ phoneNumber: value }, at) =>
    value === undefined || international(value) !== undefined
      ? []
      : [{ message: NOT_INTERNATIONAL, location: `body.definition.buttons[${at}].phoneNumber`, value }],
  );
}

/** Refuses `validation_failed` with the problems of all buttons' numbers. */
async function checkPhones(definition: TemplateDefinition): Promise<void> {
  const problems = await phoneProblems(definition);
  if (problems.length > 0) refuse('validation_failed', NOT_INTERNATIONAL, problems);
}

/** Creates a template. Refuses `validation_failed`, `no_channel_number`, `template_limit_reached` and `template_name_taken`. */
export async function createTemplate(context: TemplateContext, id: string, command: CreateTemplate): Promise<void> {
  checkTemplate(command);
  await checkPhones(command.definition);
  await needNumber(context);
  await checkSample(context, command.definition);
  const requested = { by: id, value: nameKey(command), attempt: context.newId('template attempt') };
  await createNamed(context, templateHolders(context.workspaceId), requested, async () => {
    await useSample(context, command.definition);
    return context.commands.decide(template, id, create(command));
  });
}

/** Edits a template. Refuses `not_found`, `template_not_editable`, `validation_failed` and `no_channel_number`. */
export async function editTemplate(context: TemplateContext, id: string, command: EditTemplate): Promise<void> {
  const { commands, workspaceId } = context;
  // Refusals of the request itself precede checks of other state.
  await commands.query(template, id, edit(workspaceId, command));
  await checkPhones(command.definition);
  await needNumber(context);
  await checkSample(context, command.definition);
  await useSample(context, command.definition);
  await commands.decide(template, id, edit(workspaceId, command));
}

/** Decides about a template, and frees its name if that has removed it. */
export async function decideAndFree(
  commands: BoundCommands,
  { workspaceId, templateId }: { readonly workspaceId: string; readonly templateId: string },
  decision: TemplateDecision,
): Promise<void> {
  const { events } = await commands.decide(template, templateId, decision);
  if (events.some(({ type }) => type === 'TemplateRemoved'))
    await freeHolderOf({ commands, workspaceId }, templateHolders(workspaceId), templateId);
}

/** Deletes a template. Refuses `not_found` and `no_channel_number`. It is removed when the provider has deleted it. */
export async function deleteTemplate(context: TemplateContext, id: string): Promise<void> {
  const { commands, workspaceId } = context;
  const existing = await commands.query(template, id, (state) => templateIn(state, workspaceId));
  if (existing.providerId !== undefined) await needNumber(context);
  await decideAndFree(commands, { workspaceId, templateId: id }, remove(workspaceId));
}

/** Schedules a comparison of the store's templates with the provider's. Refuses `no_channel_number`. */
export async function syncTemplates(context: TemplateContext): Promise<void> {
  await needNumber(context);
  await context.commands.decide(templateSync, context.workspaceId, requestSync('request'));
}
