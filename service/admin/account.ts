/** The operator at a command line, by the name of their account: what an auditor is told of who gave a command. */
import { userInfo } from 'node:os';
import type { Env } from '../settings/environment.js';

const LONGEST = 64;

/** The name as it may be stored: in one line, and short. Undefined for what is none. */
export function accountIn(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined;
  const said = name
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .slice(0, LONGEST);
  return said === '' ? undefined : said;
}

/** Whose process this is; behind `sudo`, who called it. An account without a name is told by its number. */
export function accountOf(env: Env): string | undefined {
  let name: string;
  try {
    name = userInfo().username;
  } catch {
    // A container may run as a number that no account has.
    name = `uid ${process.getuid?.()}`;
  }
  return accountIn(name === 'root' ? (env.SUDO_USER ?? name) : name);
}
