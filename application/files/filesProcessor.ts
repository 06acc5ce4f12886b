/** Removes unused uploads and unreferenced content, and counts content that was stored before sizes were counted. */
import { isInUse } from '../../domain/channel/recordingChanges.js';
import type { RecordingEvent } from '../../domain/channel/recordingEvents.js';
import { recordings } from '../../domain/channel/recordings.js';
import { defined } from '../../domain/defined.js';
import { type File, file, removeUnused, UNUSED_MS } from '../../domain/files/file.js';
import type { FileEvent } from '../../domain/files/fileEvents.js';
import { adoptContent, isStored, releaseContent, storage } from '../../domain/files/storage.js';
import type { StorageEvent, StoredContent } from '../../domain/files/storageEvents.js';
import { unconfirmedMs } from '../../engine/clockEvidence.js';
import type { RecordedEvent } from '../../engine/ports/eventStore.js';
import {
  type Cause,
  causeOf,
  defineProcessor,
  type NewTask,
  type Outcome,
  type ProcessorContext,
  type Task,
} from '../../engine/processors/processor.js';
import type { FileStore } from '../ports/fileStore.js';

/** A file or an upload of a recording, and its content if the task is about that. */
interface About extends Cause {
  readonly by: string;
  readonly recordingId?: string;
  readonly contentId?: string;
  /** Size of an upload, in bytes. */
  readonly size?: number;
}
type FilesTask = Task<About>;

/** Time in ms for which content is retained after its last file was removed, since it may be being read. */
const READ_MS = 5 * 60_000;
/**
 * Time in ms after which counted content without a file is released, for example after the service was killed in between. No request is
 * repeated that late.
 */
const SETTLED_MS = UNUSED_MS + 3_600_000;
const DONE: Outcome = { done: true };

const existing = (state: File): File => (state?.isRemoved ? undefined : state);

export interface FilesProcessorParts {
  readonly store: Pick<FileStore, 'remove'>;
}

/**
 * Content is counted before its file exists, and released after the file is removed. After a stop in between, it stays counted until a
 * check a day later. Content is deleted only once nothing refers to it, and is never reused: later equal bytes get a content id of their
 * own.
 */
export function filesProcessor({ store }: FilesProcessorParts) {
  const task = (
    { id, meta }: Pick<RecordedEvent, 'id' | 'meta'>,
    kind: string,
    about: Omit<About, keyof Cause>,
    afterMs = 0,
  ): NewTask<About>[] => {
    const cause = causeOf(meta);
    if (cause === undefined) return [];
    const payload = { ...cause, ...about };
    const lane = `${cause.workspaceId}/${about.by}`;
    return [{ id: `${id}.${kind}`, kind, lane, dueAt: Date.parse(meta.at) + afterMs, payload }];
  };

  const decideOnStorage = (
    about: FilesTask,
    context: ProcessorContext,
    decision: ReturnType<typeof releaseContent>,
  ): Promise<unknown> =>
    context.commands.decide(context.contextFor(about, about.payload), storage, about.payload.workspaceId, decision);

  /** Returns the content that the file or upload refers to, if it exists. */
  async function needOf({ payload }: FilesTask, { commands }: ProcessorContext): Promise<StoredContent | undefined> {
    const { workspaceId, by, recordingId, size = 0 } = payload;
    if (recordingId === undefined) {
      const found = await commands.query(file, by, existing);
      return found && { by, kind: 'file', contentId: found.contentId, size: found.size, sha256: found.sha256 };
    }
    const requested = await commands.query(recordings, workspaceId, isInUse(recordingId, by));
    return requested ? { by, kind: 'recording', recordingId, contentId: by, size } : undefined;
  }

  return defineProcessor<FileEvent | StorageEvent | RecordingEvent>({
    name: 'files',
    categories: ['file', 'storage', 'recordings'],
    on: {
      FileStored: (event) => [
        ...task(event, 'adopt', { by: event.streamId }),
        ...(event.data.temporary ? task(event, 'expire', { by: event.streamId }, UNUSED_MS) : []),
      ],
      FileRemoved: (event) => task(event, 'release', { by: event.streamId }),
      RecordingUploaded(event) {
        const { recordingId, uploadId, size } = event.data;
        return task(event, 'adopt', { by: uploadId, recordingId, size });
      },
      ContentKept(event) {
        const { by, recordingId } = event.data;
        return task(event, 'settle', { by, ...defined({ recordingId }) }, SETTLED_MS);
      },
      ContentReleased(event) {
        const { by, contentId, freed } = event.data;
        return freed === 0 ? [] : task(event, 'drop', { by, contentId }, READ_MS);
      },
    },
    perform: {
      async adopt(about: FilesTask, context) {
        const needed = await needOf(about, context);
        if (needed !== undefined) await decideOnStorage(about, context, adoptContent(needed));
        return DONE;
      },
      async expire(about: FilesTask, context) {
        const wait = unconfirmedMs(context.clock);
        if (wait > 0) return { again: { at: context.clock.now() + wait } };
        await context.commands.decide(context.contextFor(about, about.payload), file, about.payload.by, removeUnused);
        return DONE;
      },
      async release(about: FilesTask, context) {
        await decideOnStorage(about, context, releaseContent(about.payload.by));
        return DONE;
      },
      async settle(about: FilesTask, context) {
        const wait = unconfirmedMs(context.clock);
        if (wait > 0) return { again: { at: context.clock.now() + wait } };
        if ((await needOf(about, context)) === undefined)
          await decideOnStorage(about, context, releaseContent(about.payload.by));
        return DONE;
      },
      async drop({ payload: { workspaceId, contentId } }: FilesTask, { commands }) {
        const retained = await commands.query(storage, workspaceId, isStored(contentId!));
        if (!retained) await store.remove(`${workspaceId}/${contentId}`);
        return DONE;
      },
    },
  });
}
