/** Validates messages of members and programs of a store before they are queued. (Specification 2, 'Send body'.) */
import type { MediaKind, OutboundContent } from '../../domain/channel/conversationEvents.js';
import type { TemplateComponent } from '../../domain/channel/templateComponents.js';
import { type FieldProblem, refuse } from '../../domain/decider.js';
import { kindOf } from '../../domain/files/mediaTypes.js';
import { renderTemplate } from '../../domain/templates/templateRendering.js';
import type { FileBody } from '../../projections/files.js';
import { templates } from '../../projections/templates.js';
import { fileName, safeName } from '../files/fileNames.js';
import { componentsWithFiles } from './componentFiles.js';
import { type FilePlace, sendableFile } from './sendableFile.js';

/** A `SendBody` of the API. */
export interface SendInput {
  readonly clientMsgId: string;
  readonly type: 'text' | 'template' | MediaKind;
  readonly text?: string;
  readonly media?: { readonly fileId: string; readonly filename?: string };
  readonly replyToMessageId?: string;
  readonly template?: { readonly templateId: string; readonly components?: readonly TemplateComponent[] };
}

/** `at`: location of the message in the request, such as `body.message`. */
export interface ContentPlace extends FilePlace {
  readonly at: string;
}

const PART = { text: 'text', template: 'template' } as const;
const WITHOUT_CAPTION = new Set(['audio', 'sticker']);
/** Maximum characters of a caption. The channel would truncate a longer one. */
const CAPTION = 1_024;

/** Returns the member that a message of the type requires. */
const neededBy = (type: SendInput['type']): 'text' | 'template' | 'media' =>
  type === 'text' || type === 'template' ? PART[type] : 'media';

const takesCaption = (type: SendInput['type']): boolean => neededBy(type) === 'media' && !WITHOUT_CAPTION.has(type);

/** Reports the required member if it is missing, and members that a message of the type does not have. */
export function memberProblems(message: SendInput, at: string): FieldProblem[] {
  const { type } = message;
  const needed = neededBy(type);
  const problems: FieldProblem[] = [];
  if (message[needed] === undefined)
    problems.push({ message: `A message of the type ${type} needs ${needed}.`, location: `${at}.${needed}` });
  for (const member of ['text', 'media', 'template'] as const)
    if (message[member] !== undefined && member !== needed && !(member === 'text' && takesCaption(type)))
      problems.push({ message: `A message of the type ${type} has no ${member}.`, location: `${at}.${member}` });
  return problems;
}

/** Reports a blank text, and a caption that is too long for the channel. */
export function textProblems({ type, text }: Pick<SendInput, 'type' | 'text'>, at: string): FieldProblem[] {
  if (text === undefined) return [];
  const location = `${at}.text`;
  if (type === 'text' && text.trim() === '') return [{ message: 'A text must not be empty.', location, value: text }];
  if (!takesCaption(type) || [...text].length <= CAPTION) return [];
  return [{ message: 'A caption can have at most 1,024 characters. Send the rest as a separate text.', location }];
}

/** Refuses `validation_failed` if the members of the message do not fit its type. */
export function checkShape(message: SendInput, at: string): void {
  const problems = [...memberProblems(message, at), ...textProblems(message, at)];
  if (problems.length > 0) refuse('validation_failed', problems[0]!.message, problems);
}

const unfit = (message: string, location: string, value: unknown): never =>
  refuse('validation_failed', message, [{ message, location, value }]);

/** Returns a file of the store that can be sent as `type`: a file of that kind, or any file as a document. */
async function fileFor(fileId: string, type: MediaKind, location: string, place: ContentPlace): Promise<FileBody> {
  const found = await sendableFile(place, fileId);
  if (found === undefined) return unfit('The store has no such file: upload it first.', location, fileId);
  if (type !== 'document' && kindOf(found.mimeType) !== type)
    unfit(`A file of the type ${found.mimeType} cannot be sent as ${type}.`, location, fileId);
  return found;
}

/** Returns the name of the document for the customer, cleaned like names of uploads. Default: the file's name. */
const shownName = (given: string | undefined, { name, mimeType }: FileBody): string =>
  safeName(given ?? '') === '' ? name : fileName(given, mimeType);

async function mediaContent(
  type: MediaKind,
  { media, text = '' }: SendInput,
  place: ContentPlace,
): Promise<OutboundContent> {
  const { fileId, filename } = media!;
  const file = await fileFor(fileId, type, `${place.at}.media.fileId`, place);
  const named = type === 'document' ? { filename: shownName(filename, file) } : {};
  return { type, fileId: file.id, mimeType: file.mimeType, text, ...named };
}

async function templateContent({ template }: SendInput, place: ContentPlace): Promise<OutboundContent> {
  const { templateId, components = [] } = template!;
  const location = `${place.at}.template.templateId`;
  const found = (await place.read.get(templates, `${place.workspaceId}/${templateId.toLowerCase()}`))?.body;
  if (found === undefined) return unfit('The store has no such template.', location, templateId);
  if (found.status !== 'approved')
    refuse('template_not_approved', `The template is ${found.status}. Only approved templates can be sent.`);
  const { name, language } = found;
  const at = `${place.at}.template.components`;
  const { text } = renderTemplate(found, components, at);
  const filled = await componentsWithFiles(place, components, at);
  return { type: 'template', name, language, body: [], text, templateId: found.id, components: filled };
}

/**
 * Returns the message's content. Refuses `validation_failed` for files and templates that the store does not have or that do not fit,
 * `template_not_approved`, and `template_parameters_invalid`. Call `checkShape` first.
 */
export async function contentOf(message: SendInput, place: ContentPlace): Promise<OutboundContent> {
  const { type, text = '' } = message;
  if (type === 'text') return { type, text };
  if (type === 'template') return templateContent(message, place);
  return mediaContent(type, message, place);
}
