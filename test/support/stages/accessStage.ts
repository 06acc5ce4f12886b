import { partnerOperations } from '../../../api/operations/partners/index.js';
import { temporaryFolder } from '../../../harness/service/serviceProcess.js';
import type { Instance } from '../../../service/composition/instance.js';
import { servedInstance } from './servedInstance.js';

export interface Answered {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, looked into by tests
  readonly body: any;
}

/** Embedded engines in a temporary folder, with the Partner API over HTTP and the operator's commands. */
export interface AccessStage {
  readonly instance: Instance;
  /** Runs a command of the operator. */
  // biome-ignore lint/suspicious/noExplicitAny: results of many shapes, looked into by tests
  operator(command: string, input: object): Promise<any>;
  /** Creates a partner with a key for all scopes, on its default plan. */
  partner(slug: string): Promise<{ id: string; key: string; keyId: string }>;
  call(key: string, method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered>;
  close(): Promise<void>;
}

const ALL_PARTNER_SCOPES = [
  'partner.account:view',
  'partner.stores:view',
  'partner.stores:manage',
  'partner.webhooks:manage',
];

const planFeatures = [
  { key: 'workspace.core', enabled: true },
  { key: 'commerce.catalog', enabled: true },
  { key: 'commerce.products.max', enabled: true, limit: 10 },
];

export async function openAccessStage(): Promise<AccessStage> {
  const folder = temporaryFolder('suuq-access-');
  const { instance, operator, url, close } = await servedInstance(folder.path, { operations: partnerOperations });
  await operator('plans.put', { key: 'standard', name: 'Standard', features: planFeatures });
  return {
    instance,
    operator,
    async partner(slug) {
      const { id } = await operator('partners.create', { name: `Partner ${slug}`, slug, plan: 'standard' });
      const made = await operator('keys.create', { partner: id, mode: 'live', scopes: ALL_PARTNER_SCOPES });
      return { id, key: made.key, keyId: made.id };
    },
    async call(key, method, path, body, headers = {}) {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
      const answer = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, ...type, ...headers },
        ...sent,
      });
      const text = await answer.text();
      return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
    },
    async close() {
      await close();
      folder.remove();
    },
  };
}
