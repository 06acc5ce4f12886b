/** Completes uploads that a stop of the service interrupted, and removes files that calls do not play any more. */
import type { RecordingEvent } from '../../domain/channel/recordingEvents.js';
import { bindCommands } from '../../engine/commandHandler/boundCommands.js';
import {
  defineProcessor,
  type NewTask,
  type Outcome,
  type ProcessorContext,
  type Task,
} from '../../engine/processors/processor.js';
import { dropUnwanted, readUpload, SETTLED_MS, type SoundTools, type UploadPlace } from './recordingUploads.js';

const DONE: Outcome = { done: true };

/** Each task waits until the uploading request must have ended. A file that is playing continues to play meanwhile. */
export function recordingsProcessor(tools: SoundTools) {
  const task = (
    event: { id: string; meta: { at: string }; streamId: string },
    kind: 'read' | 'drop',
    recordingId: string,
    uploadId: string,
  ): NewTask<UploadPlace> => ({
    id: `${event.id}.${uploadId}`,
    kind,
    lane: `${event.streamId}/${recordingId}`,
    dueAt: Date.parse(event.meta.at) + SETTLED_MS,
    payload: { workspaceId: event.streamId, recordingId, uploadId },
  });
  const bound = (context: ProcessorContext, about: Task<UploadPlace>) =>
    bindCommands(context.commands, context.contextFor(about, { workspaceId: about.payload.workspaceId }));
  return defineProcessor<RecordingEvent>({
    name: 'recordings',
    categories: ['recordings'],
    derivable: ['RecordingUploaded', 'RecordingReady', 'RecordingFailed', 'RecordingRemoved'],
    on: {
      RecordingUploaded(event) {
        const { recordingId, uploadId, instead } = event.data;
        const dropped = instead === undefined ? [] : [task(event, 'drop', recordingId, instead)];
        return [task(event, 'read', recordingId, uploadId), ...dropped];
      },
      RecordingReady(event) {
        const { recordingId, before } = event.data;
        return before === undefined ? [] : [task(event, 'drop', recordingId, before)];
      },
      RecordingFailed: (event) => [task(event, 'drop', event.data.recordingId, event.data.uploadId)],
      RecordingRemoved(event) {
        const { recordingId, uploads } = event.data;
        return uploads.map((uploadId) => task(event, 'drop', recordingId, uploadId));
      },
    },
    perform: {
      async read(about: Task<UploadPlace>, context) {
        await readUpload(tools, bound(context, about), about.payload);
        return DONE;
      },
      async drop(about: Task<UploadPlace>, context) {
        await dropUnwanted(tools, bound(context, about), about.payload);
        return DONE;
      },
    },
  });
}
