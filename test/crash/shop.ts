/** A store as its server, its customers and a user of its partner see it, over HTTP, until the service is gone. */
import { randomUUID } from 'node:crypto';
import type { Demo } from '../../harness/service/serviceProcess.js';
import { signedCart, signedForm } from '../../harness/service/signedCart.js';
import { PIXEL } from '../support/conformance/areas/files.js';
import { jwt } from '../support/stages/sessionStage.js';

// biome-ignore lint/suspicious/noExplicitAny: answers of many operations, looked into as any client would
export type Body = any;

export interface Answer {
  readonly status: number;
  readonly body: Body;
}

/** Longest wait for one answer, ms. */
const PATIENCE_MS = 20_000;

/** Each change of a product changes its text, so that the databases' logs grow long enough to be moved in each life of the service. */
const TEXT = 'Cotton, made to be worn for years. '.repeat(140);

export class Shop {
  readonly baseUrl: string;
  readonly demo: Demo;

  constructor(baseUrl: string, demo: Demo) {
    this.baseUrl = baseUrl;
    this.demo = demo;
  }

  async #fetch(path: string, init: RequestInit, key?: string): Promise<Response> {
    const headers = { ...(key && { authorization: `Bearer ${key}` }), ...init.headers };
    return fetch(`${this.baseUrl}${path}`, { ...init, headers, signal: AbortSignal.timeout(PATIENCE_MS) });
  }

  /** `path`: below the workspace. */
  async call(method: string, path: string, body?: object): Promise<Answer> {
    const { workspaceId, secretKey } = this.demo.store;
    const json = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const answer = await this.#fetch(`/api/v1/workspaces/${workspaceId}${path}`, { method, ...json }, secretKey);
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
  }

  product(id: string, priceCents: number): Promise<Answer> {
    const imageUrls = ['https://images.example.com/shirt.jpg'];
    const description = `${priceCents} ${TEXT}`;
    return this.call('PUT', `/commerce/products/${id}`, {
      name: `Shirt ${id}`,
      description,
      imageUrls,
      priceCents,
    });
  }

  async #deliver(signed: ReturnType<typeof signedCart>): Promise<number> {
    return (await this.#fetch('/channel/webhook', { method: 'POST', ...signed })).status;
  }

  /** Customer `n` sends a cart with one product. */
  cart(n: number, productId: string): Promise<number> {
    return this.#deliver(signedCart(this.demo, n, [productId]));
  }

  /** Customer `n` checks the order out, with a coupon. */
  checkout(n: number, orderId: string, coupon: string): Promise<number> {
    return this.#deliver(signedForm(this.demo, n, orderId, { handover: 'pickup', name: 'Hodan', coupon }));
  }

  /** `seed` makes the file another one: what follows a picture's end is no part of it. */
  async upload(seed: string): Promise<Answer> {
    const { workspaceId, secretKey } = this.demo.store;
    const form = new FormData();
    form.set('file', new Blob([PIXEL, Buffer.from(seed)], { type: 'image/png' }), `${seed}.png`);
    const init = { method: 'POST', body: form };
    const answer = await this.#fetch(`/api/v1/workspaces/${workspaceId}/files`, init, secretKey);
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  }

  /** The bytes of a file; undefined where there is none. */
  async file(fileId: string): Promise<Buffer | undefined> {
    const { workspaceId, secretKey } = this.demo.store;
    const answer = await this.#fetch(`/api/v1/workspaces/${workspaceId}/files/${fileId}`, {}, secretKey);
    const bytes = Buffer.from(await answer.arrayBuffer());
    return answer.status === 200 ? bytes : undefined;
  }

  /** A user token of the partner, good for one session. */
  userToken(user: number): string {
    const { secretKey } = this.demo.partner;
    const stores = [{ externalRef: this.demo.store.externalRef, role: 'supervisor' }];
    const exp = Math.floor(Date.now() / 1000) + 280;
    return jwt({ sub: `user-${user}`, name: `User ${user}`, stores, jti: randomUUID(), exp }, secretKey);
  }

  async signIn(userToken: string): Promise<Answer> {
    const body = JSON.stringify({ publishableKey: this.demo.partner.publishableKey, userToken });
    const headers = { 'content-type': 'application/json' };
    const answer = await this.#fetch('/api/v1/sdk/sessions', { method: 'POST', headers, body });
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  }

  /** All orders, newest first. */
  async orders(): Promise<Body[]> {
    const all: Body[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await this.call('GET', `/commerce/orders?limit=200${cursor}`);
      all.push(...body.orders);
      if (body.next === undefined) return all;
      cursor = `&cursor=${encodeURIComponent(body.next)}`;
    }
  }
}
