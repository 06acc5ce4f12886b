import type { Readable } from 'node:stream';
import { filesIn } from '../../domain/channel/messageFiles.js';
import type { Files } from '../files/files.js';
import { ProviderError } from '../ports/catalogProvider.js';
import type { ChannelMedia } from '../ports/channelMedia.js';
import type { StoreNumber } from './channelNumbers.js';
import type { Sending } from './sendingTask.js';

/** The part of the stores' files that sending needs. */
export type SentFiles = Pick<Files, 'fileOf' | 'openFile'>;

/** Uploads a message's files to the channel. */
export class Uploads {
  readonly #media: Pick<ChannelMedia, 'upload'>;
  readonly #files: SentFiles;
  constructor(media: Pick<ChannelMedia, 'upload'>, files: SentFiles) {
    this.#media = media;
    this.#files = files;
  }

  async #open(workspaceId: string, fileId: string): Promise<Readable> {
    const content = await this.#files.openFile(workspaceId, fileId);
    if (content === undefined)
      throw new ProviderError('file_missing', `The content of ${fileId} is no longer available.`, false);
    return content;
  }

  /**
   * Yields the channel's ids after each upload, so that a later failure does not repeat it. Yields nothing if no upload is needed. Throws
   * `ProviderError`, with `file_missing` for a file that was removed.
   */
  async *missing(
    { content, mediaIds = {}, workspaceId = '' }: Sending,
    { phoneNumberId }: StoreNumber,
    accessToken: string | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<Readonly<Record<string, string>>> {
    let known = mediaIds;
    for (const fileId of filesIn(content)) {
      if (known[fileId] !== undefined) continue;
      const found = await this.#files.fileOf(workspaceId, fileId);
      if (found === undefined) throw new ProviderError('file_missing', `The file ${fileId} no longer exists.`, false);
      const { name: filename, mimeType, size } = found;
      const file = { filename, mimeType, size, content: () => this.#open(workspaceId, fileId) };
      const { mediaId } = await this.#media.upload(phoneNumberId, file, accessToken, signal);
      known = { ...known, [fileId]: mediaId };
      yield known;
    }
  }
}
