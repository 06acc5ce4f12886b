/** Text on its way into HTML. */
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML, also inside an attribute's quotes. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (found) => ENTITIES[found]!);

/** Escaped text with its `code` parts marked. */
export const prose = (text: string): string => escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>');
