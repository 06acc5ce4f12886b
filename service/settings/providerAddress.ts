/** Addresses of providers: what is sent there bears their tokens, customers' numbers and payments. */
import { isLoopback } from '../../infrastructure/http/loopback.js';
import { address, type Env, oneOf, SettingsError } from './environment.js';

/**
 * Base address of a provider, without a trailing slash: https; or http on this machine, or in a private network if the operator allows it
 * (SUUQ_ALLOW_PLAIN_HTTP). Throws SettingsError.
 */
export function providerAddress(env: Env, name: string): string | undefined {
  const plainAllowed = oneOf(env, 'SUUQ_ALLOW_PLAIN_HTTP', ['0', '1'], '0') === '1';
  const text = address(env, name);
  if (text === undefined || plainAllowed) return text;
  const { protocol, hostname } = new URL(text);
  if (protocol !== 'https:' && !isLoopback(hostname))
    throw new SettingsError(
      `${name} must be an https URL, since requests to ${hostname} carry a secret (SUUQ_ALLOW_PLAIN_HTTP=1 is for test servers in a private network).`,
    );
  return text;
}
