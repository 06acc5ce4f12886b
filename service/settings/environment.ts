/** Reading single values of the environment. An empty value is no value, as compose files write it. */
import { isIP } from 'node:net';

/** A wrong setting. The message is one sentence that names the variable, and never holds a secret. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

export type Env = Readonly<Record<string, string | undefined>>;

export const settingValue = (env: Env, name: string): string | undefined => env[name]?.trim() || undefined;

/** From 0 to `most`. Throws SettingsError. */
export function wholeNumber(env: Env, name: string, most: number, otherwise: number): number {
  const text = settingValue(env, name);
  if (text === undefined) return otherwise;
  if (!/^\d{1,15}$/.test(text) || Number(text) > most)
    throw new SettingsError(`${name} is ${JSON.stringify(text)}, but must be a whole number from 0 to ${most}.`);
  return Number(text);
}

/** Throws SettingsError. */
export function oneOf<T extends string>(env: Env, name: string, values: readonly T[], otherwise: T): T {
  const text = settingValue(env, name);
  if (text === undefined) return otherwise;
  const found = values.find((value) => value === text);
  if (found === undefined)
    throw new SettingsError(`${name} is ${JSON.stringify(text)}, but must be one of ${values.join(', ')}.`);
  return found;
}

/** A comma-separated list, each once, in the order of `values`; all of them when nothing is given. Throws SettingsError. */
export function someOf<T extends string>(env: Env, name: string, values: readonly T[]): readonly T[] {
  const text = settingValue(env, name);
  if (text === undefined) return values;
  const requested = text.split(',').map((one) => one.trim());
  if (requested.some((one) => !values.includes(one as T)))
    throw new SettingsError(
      `${name} is ${JSON.stringify(text)}, but must be a comma-separated list of some of ${values.join(', ')}.`,
    );
  return values.filter((value) => requested.includes(value));
}

/** The base address of an http server, without a slash at its end. Throws SettingsError. */
export function address(env: Env, name: string): string | undefined {
  const text = settingValue(env, name);
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const accepted = url !== undefined && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
  // The value may hold a password, so it is not repeated.
  if (!accepted || url.username !== '' || url.password !== '')
    throw new SettingsError(
      `${name} is not a base address: it must be an http or https URL without user, query and fragment, such as https://api.example.com.`,
    );
  return url.href.replace(/\/+$/, '');
}

/** Additional names and addresses of the service and its sandbox. Throws SettingsError. */
export function allowedHosts(env: Env): readonly string[] {
  const text = settingValue(env, 'SUUQ_ALLOWED_HOSTS');
  const hosts = text === undefined ? [] : text.split(',').map((one) => one.trim());
  if (!hosts.every((one) => /^[A-Za-z0-9._-]{1,253}$/.test(one) || isIP(one.replace(/^\[(.*)\]$/, '$1')) !== 0))
    throw new SettingsError(
      `SUUQ_ALLOWED_HOSTS is ${JSON.stringify(text)}, but must be a comma-separated list of host names or addresses without ports, such as suuq.example.com.`,
    );
  return hosts;
}

/** A host to listen on. Throws SettingsError. */
export function listenHost(env: Env, name: string, otherwise: string): string {
  const text = settingValue(env, name) ?? otherwise;
  if (!/^[A-Za-z0-9.:_-]{1,255}$/.test(text))
    throw new SettingsError(
      `${name} is ${JSON.stringify(text)}, but must be a host name or an IP address to listen on, such as 127.0.0.1 or 0.0.0.0.`,
    );
  return text;
}
