/**
 * The canonical text of the content that an event leads to, told by the decision that made the event: applied to the state that it was
 * decided on, it need not be worked out again. An event that was read from the log has none.
 */
const texts = new WeakMap<object, string>();

/** `data`: of the event, which is that of nobody else. */
export function leadsTo<D extends object>(data: D, text: string): D {
  texts.set(data, text);
  return data;
}

export const textAfter = (data: object): string | undefined => texts.get(data);
