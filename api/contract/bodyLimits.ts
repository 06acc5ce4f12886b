/** How large bodies may be. */
import type { Operation } from './operation.js';

/** Most bytes of a body, unless its operation declares another number. */
const USUAL_BODY = 1024 * 1024;
/** Most bytes that any operation may declare. (DESIGN, 'Decisions where the specification is silent'.) */
export const MAX_BODY = 8 * 1024 * 1024;
/** Maximum bytes of a body that is read before authentication: a user token of 32,768 characters and its JSON. */
const STRANGERS_BODY = 40 * 1024;
/** A larger body is parsed and checked in a thread of its own: what a smaller one costs is not worth the way. In bytes. */
export const INLINE_BODY = 16_384;

/** A larger body than that, and not larger than this, is parsed where it came in, a little at a time, when nothing is wrong with it. */
export const PORTIONED_BODY = 1024 * 1024;

/** Most bytes of an operation's JSON body. */
export const bodyLimitOf = ({ bodyLimit, credential }: Pick<Operation, 'bodyLimit' | 'credential'>): number =>
  bodyLimit ?? (credential === 'user_token' ? STRANGERS_BODY : USUAL_BODY);
