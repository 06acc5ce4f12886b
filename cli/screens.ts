/** What the command line writes on. */
import type { Screen } from '../service/admin/layout.js';
import type { Env } from '../service/settings/environment.js';

/** Of a stream what tells whether a person looks at it. */
interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** No narrower than this, whatever is said. */
const LEAST_COLUMNS = 20;

/**
 * A terminal has its own width; what goes elsewhere is as wide as it takes, or as COLUMNS says. Colours are for terminals, and
 * for whoever sets FORCE_COLOR; NO_COLOR takes them away (no-color.org).
 */
export function screenOf({ isTTY, columns }: Stream, env: Env): Screen {
  const width = isTTY ? columns : Number(env.COLUMNS);
  const forced = (env.FORCE_COLOR ?? '0') !== '0';
  const styled = !env.NO_COLOR && (forced || (isTTY === true && env.TERM !== 'dumb'));
  return width !== undefined && width > 0 ? { columns: Math.max(LEAST_COLUMNS, width), styled } : { styled };
}
