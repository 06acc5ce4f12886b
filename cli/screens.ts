/** Screens of the command line's output. */
import type { Screen } from '../service/admin/layout.js';
import type { Env } from '../service/settings/environment.js';

/** Properties of a stream that show whether a person reads it. */
interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Minimum width. */
const LEAST_COLUMNS = 20;

/**
 * A terminal has its own width; other output is not limited, unless COLUMNS is set. Colours are for terminals, or set by FORCE_COLOR;
 * NO_COLOR disables them (no-color.org).
 */
export function screenOf({ isTTY, columns }: Stream, env: Env): Screen {
  const width = isTTY ? columns : Number(env.COLUMNS);
  const forced = (env.FORCE_COLOR ?? '0') !== '0';
  const styled = !env.NO_COLOR && (forced || (isTTY === true && env.TERM !== 'dumb'));
  return width !== undefined && width > 0 ? { columns: Math.max(LEAST_COLUMNS, width), styled } : { styled };
}
