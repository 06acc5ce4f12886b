/** Files of an outbound message. */
import type { OutboundContent } from './conversationEvents.js';

/** Returns the ids of the files that are sent with the content. */
export function filesIn(content: OutboundContent): readonly string[] {
  if (content.type !== 'template') return 'fileId' in content ? [content.fileId] : [];
  const parameters = (content.components ?? []).flatMap((component) => component.parameters ?? []);
  return parameters.flatMap((parameter) =>
    'media' in parameter && parameter.media.fileId !== undefined ? [parameter.media.fileId] : [],
  );
}
