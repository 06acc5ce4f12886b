/** The operator at a command line, identified by their account name for auditors. */
import { userInfo } from 'node:os';
import type { Env } from '../settings/environment.js';

const LONGEST = 64;

/** The name as it may be stored: in one line, and short. Undefined for what is none. */
export function accountIn(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined;
  const label = name
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .slice(0, LONGEST);
  return label === '' ? undefined : label;
}

/** Owner of this process; behind `sudo`, the user who called it. An account without a name is identified by its number. */
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
