/** The list of the documentation's files, which the build writes and the service reads. */

/** Its name, in the folder of the documentation. */
export const MANIFEST = 'manifest.json';

export interface SiteFile {
  /** Content type. */
  readonly type: string;
  /** Hash of its content and its name in the folder; its compressed forms end with `.br` and `.gz`. */
  readonly tag: string;
  readonly isCompressed?: true;
  /** Cached for a year: other content has another address. */
  readonly isCacheable?: true;
}

/** Files by path of the service. */
export type SiteManifest = Readonly<Record<string, SiteFile>>;
