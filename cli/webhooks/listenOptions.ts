/** Options of `suuq listen`, as they are typed. */
import { EVENT_TYPES } from '../../domain/webhooks/eventTypes.js';
import { UsageError } from '../../service/admin/declaration.js';
import { suggestionsFor } from '../../service/suggestions.js';
import type { Typed } from '../command.js';

export const TYPES = Object.keys(EVENT_TYPES);

/** `order.paid,message.*`: each once. Throws UsageError. */
export function parseEvents(typed: readonly string[]): readonly string[] {
  const requested = typed.flatMap((one) => one.split(',')).map((one) => one.trim());
  const found = requested.flatMap((one) => {
    const matching = one.endsWith('*') ? TYPES.filter((type) => type.startsWith(one.slice(0, -1))) : [one];
    if (matching.length > 0 && matching.every((type) => TYPES.includes(type))) return matching;
    const near = suggestionsFor(one, TYPES);
    throw new UsageError(
      `there is no event type '${one}'${near.length > 0 ? `; did you mean ${near.join(' or ')}?` : `, but ${TYPES.join(', ')}`}`,
    );
  });
  return [...new Set(found)];
}

/** Throws UsageError. */
export function parseTarget(typed: Typed): URL | undefined {
  const text = typed.one('forward-to');
  if (text === undefined) return undefined;
  // Accepts short forms: 8080/hooks, localhost:8080/hooks.
  const url = /^\d/.test(text) && !text.includes('.') ? `http://127.0.0.1:${text}` : text;
  const full = /^https?:\/\//.test(url) ? url : `http://${url}`;
  if (!URL.canParse(full))
    throw new UsageError(`--forward-to ${text} is not a URL such as http://127.0.0.1:8080/hooks`);
  const target = new URL(full);
  if (target.username !== '') throw new UsageError('--forward-to must not carry a user name or password');
  return target;
}

export function parsePort(typed: Typed): number {
  const text = typed.one('port') ?? '0';
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new UsageError('--port must be from 0 to 65535');
}

/** How a service elsewhere reaches this machine. Throws UsageError. */
export function parsePublicUrl(typed: Typed): string | undefined {
  const text = typed.one('url');
  if (text === undefined) return undefined;
  if (!text.startsWith('https://') || !URL.canParse(text))
    throw new UsageError("--url must be an https address that leads to this machine's --port, such as a tunnel's");
  return text.replace(/\/+$/, '');
}
