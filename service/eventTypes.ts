/** Types of events as somebody names them. */
import { refuse } from '../domain/decider.js';
import { suggestionSentence } from './suggestions.js';

/** Refuses `unknown_event_type`, with what may be meant: nothing found would be taken for nothing happened. */
export function checkTypes(types: readonly string[] | undefined, known: readonly string[]): void {
  const wrong = types?.find((type) => !known.includes(type));
  if (wrong === undefined) return;
  const hint = suggestionSentence(wrong, known, 'All types are listed in docs/reference/events.md.');
  refuse('unknown_event_type', `Unknown event type ${wrong}. ${hint}`);
}
