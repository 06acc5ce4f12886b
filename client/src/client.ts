/** The client: one function per operation, and the iterators of lists. */
import { OPERATIONS, type Operations } from './generated.js';
import type { OperationSpec, Values } from './request.js';
import { type CallOptions, createTransport, type TransportOptions } from './transport.js';

export type OperationId = keyof Operations;
export type Arguments<K extends OperationId> = Operations[K]['args'];
export type Answer<K extends OperationId> = Operations[K]['answer'];

type Called<A> = Record<never, never> extends A ? [args?: A, options?: CallOptions] : [args: A, options?: CallOptions];

/** An answer with its status and header fields. */
export interface Answered<B> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: B;
}

interface Lists<A, B, I> {
  /** Every item of every page in order; a page is requested when its first item is read. */
  each(...called: Called<A>): AsyncGenerator<I, void, undefined>;
  /** Page after page. */
  pages(...called: Called<A>): AsyncGenerator<B, void, undefined>;
}

/** Throws SuuqProblem for an answer that is a problem, SuuqConnectionError when none came. */
export type Method<K extends OperationId> = ((...called: Called<Arguments<K>>) => Promise<Answer<K>>) & {
  /** The same, with status and header fields. */
  answer(...called: Called<Arguments<K>>): Promise<Answered<Answer<K>>>;
} & (Operations[K] extends { readonly item: infer I } ? Lists<Arguments<K>, Answer<K>, I> : unknown);

export type Suuq = { readonly [K in OperationId]: Method<K> };

type Page = Values & { readonly next?: string };

/**
 * A client of the service at `baseUrl`. Its credential is a secret key on a server (`sk_…`, `psk_…`) or the token of a session elsewhere.
 * Calls that may be made again are, a bounded number of times, with one Idempotency-Key.
 */
export function createClient(options: TransportOptions): Suuq {
  const send = createTransport(options);
  const methodOf = (spec: OperationSpec): unknown => {
    const answer = (args: Values = {}, call?: CallOptions) => send(spec, args, call);
    const method = async (args?: Values, call?: CallOptions) => (await answer(args, call)).body;
    if (spec.list === undefined) return Object.assign(method, { answer });
    async function* pages(args: Values = {}, call?: CallOptions): AsyncGenerator<Page> {
      let cursor = args.cursor;
      for (;;) {
        const page = (await method({ ...args, cursor }, call)) as Page;
        yield page;
        if (page.next === undefined) return;
        cursor = page.next;
      }
    }
    async function* each(args?: Values, call?: CallOptions): AsyncGenerator<unknown> {
      for await (const page of pages(args, call)) yield* page[spec.list!] as unknown[];
    }
    return Object.assign(method, { answer, pages, each });
  };
  const methods = Object.entries<OperationSpec>(OPERATIONS).map(([id, spec]) => [id, methodOf(spec)]);
  return Object.freeze(Object.fromEntries(methods)) as Suuq;
}
