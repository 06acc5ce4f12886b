import type { TemplateComponent, TemplateParameter } from '../../domain/channel/templateComponents.js';
import { type FieldProblem, refuse } from '../../domain/decider.js';
import { kindOf } from '../../domain/files/mediaTypes.js';
import { type FilePlace, sendableFile } from './sendableFile.js';

/**
 * Returns the components with files of the store. A document without a name gets the file's name. `at`: location of the components in the
 * request. Refuses `validation_failed` with each file that the store does not have, or that is of another kind.
 */
export async function componentsWithFiles(
  place: FilePlace,
  components: readonly TemplateComponent[],
  at: string,
): Promise<readonly TemplateComponent[]> {
  const problems: FieldProblem[] = [];
  async function withFile(parameter: TemplateParameter, location: string): Promise<TemplateParameter> {
    if (!('media' in parameter) || parameter.media.fileId === undefined) return parameter;
    const { type, media } = parameter;
    const { fileId } = parameter.media;
    const file = await sendableFile(place, fileId);
    if (file === undefined || kindOf(file.mimeType) !== type) {
      const message =
        file === undefined
          ? 'The store has no such file: upload it first.'
          : `A file of the type ${file.mimeType} is not valid for ${type}.`;
      problems.push({ message, location: `${location}.media.fileId`, value: fileId });
      return parameter;
    }
    const named = type === 'document' ? { filename: media.filename ?? file.name } : {};
    return { ...parameter, media: { ...media, fileId: file.id, ...named } };
  }
  const whole: TemplateComponent[] = [];
  for (const [index, component] of components.entries()) {
    const parameters: TemplateParameter[] = [];
    for (const [number, parameter] of (component.parameters ?? []).entries())
      parameters.push(await withFile(parameter, `${at}[${index}].parameters[${number}]`));
    whole.push({ ...component, parameters });
  }
  if (problems.length > 0) refuse('validation_failed', problems[0]!.message, problems);
  return whole;
}
