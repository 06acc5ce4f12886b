import type { Readable } from 'node:stream';

/** Current location of a file at the channel. The URL is valid for 5 minutes. `size` in bytes. */
export interface MediaPlace {
  readonly url: string;
  readonly mimeType: string;
  readonly size: number;
  readonly sha256?: string;
}

/** Files on the channel. Each call is bounded in time and throws `ProviderError` (catalogProvider.ts). (shared reference: 'Media'.) */
export interface ChannelMedia {
  locate(mediaId: string, accessToken: string | undefined, signal?: AbortSignal): Promise<MediaPlace>;
  /** Returns the bytes. The reader must enforce their maximum. Never follows a redirect to another host. */
  download(place: MediaPlace, accessToken: string | undefined, signal?: AbortSignal): Promise<Readable>;
  /** Uploads a file, so that a message can refer to it. */
  upload(
    phoneNumberId: string,
    file: {
      readonly filename: string;
      readonly mimeType: string;
      readonly size: number;
      readonly content: () => Promise<Readable>;
    },
    accessToken: string | undefined,
    signal?: AbortSignal,
  ): Promise<{ readonly mediaId: string }>;
}
