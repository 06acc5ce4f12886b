import type { Readable } from 'node:stream';

/** Where a file of the channel is now; the address is good for 5 minutes. `size` in bytes. */
export interface MediaPlace {
  readonly url: string;
  readonly mimeType: string;
  readonly size: number;
  readonly sha256?: string;
}

/** Files on the channel. Each call is bounded in time and throws `ProviderError` (catalogProvider.ts). (shared reference: 'Media'.) */
export interface ChannelMedia {
  locate(mediaId: string, accessToken: string | undefined, signal?: AbortSignal): Promise<MediaPlace>;
  /** The bytes; whoever reads them counts them. Never follows a redirect to another host. */
  download(place: MediaPlace, accessToken: string | undefined, signal?: AbortSignal): Promise<Readable>;
  /** Uploads a file, so that a message can name it. */
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
