/** A public page outside of the API. */
import type { Loads } from '../../infrastructure/pages/app.js';

export interface PageAnswer {
  readonly status: number;
  readonly text: string;
  /** Type of the text. Default: html. */
  readonly type?: 'html' | 'svg';
  /** `no-cache` if absent: cached, but revalidated. */
  readonly cacheControl?: string;
}

/** A route of GET and HEAD. */
export interface PageRoute {
  /** For metrics. */
  readonly id: string;
  /** With `{names}`. */
  readonly path: string;
  readonly loads?: Loads;
  /** `params` are those of the path, decoded. Refusals that it throws are answered as problems. */
  answer(params: Readonly<Record<string, string>>): Promise<PageAnswer> | PageAnswer;
}
