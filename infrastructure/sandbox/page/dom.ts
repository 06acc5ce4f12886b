/**
 * Making and finding elements. Everything that came from outside is set as text, never as markup. What is on the page stays
 * and is only changed where it differs, so that a form that somebody is filling in keeps what was typed.
 */
export type Attributes = Readonly<Record<string, string | number>>;

export const byId = (id: string): HTMLElement => document.getElementById(id)!;
export const inputOf = (id: string): HTMLInputElement => byId(id) as HTMLInputElement;

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  text?: string,
  attributes: Attributes = {},
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** An input with its label. */
export function field(label: string, input: HTMLElement, kind = ''): HTMLLabelElement {
  const wrapper = make('label', label, { class: kind });
  wrapper.append(input);
  return wrapper;
}

/** One of `[value, text]` pairs. */
export function choices(options: readonly (readonly [string, string])[]): HTMLSelectElement {
  const select = make('select');
  for (const [value, text] of options) select.append(make('option', text, { value }));
  return select;
}

/** What went wrong last; nothing when the text is empty. */
export const problem = (text: string): void => setText(byId('problem'), text);
export const failed = (): void => problem('The sandbox does not answer.');

export function on(id: string, event: string, run: () => Promise<unknown>): void {
  byId(id).addEventListener(event, (happened) => {
    happened.preventDefault();
    run().catch(failed);
  });
}

export interface Entries<T> {
  key(one: T): string;
  create(one: T): HTMLElement;
  update(entry: HTMLElement, one: T): void;
}

/** Brings the list's entries in line with what there is; an entry that is there already stays the same element. */
export function keyed<T>(list: HTMLElement, wanted: readonly T[], { key, create, update }: Entries<T>): void {
  const there = new Map([...list.children].map((entry) => [(entry as HTMLElement).dataset.key, entry as HTMLElement]));
  wanted.forEach((one, index) => {
    const name = key(one);
    const entry = there.get(name) ?? create(one);
    entry.dataset.key = name;
    there.delete(name);
    update(entry, one);
    if (list.children[index] !== entry) list.insertBefore(entry, list.children[index] ?? null);
  });
  for (const entry of there.values()) entry.remove();
}
