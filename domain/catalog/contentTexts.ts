/**
 * Cache of the canonical content texts that events lead to. The decision that made the event has computed the text, so the state need not
 * compute it for the second time. An event that was read from the log has no entry.
 */
const texts = new WeakMap<object, string>();

/** `data`: the event's own object, not shared with another event. */
export function leadsTo<D extends object>(data: D, text: string): D {
  texts.set(data, text);
  return data;
}

export const textAfter = (data: object): string | undefined => texts.get(data);
