/** The document's examples: one for each body, shared among the operations that take or answer it. */
import { STATUS_CODES } from 'node:http';
import type { EventType } from '../../../domain/webhooks/eventTypes.js';
import { type ProblemCode, problemKinds } from '../../contract/problems.js';
import type { JsonObject } from '../components.js';
import { commerceSamples } from './samples/commerce.js';
import { eventSamples } from './samples/events.js';
import { historySamples } from './samples/history.js';
import { IDS } from './samples/ids.js';
import { inboxSamples } from './samples/inbox.js';
import { storesSamples } from './samples/stores.js';

const SAMPLES: Readonly<Record<string, unknown>> = {
  ...commerceSamples,
  ...historySamples,
  ...inboxSamples,
  ...storesSamples,
};

const WRONG = [{ message: 'must be at least 1', location: 'query.limit', value: 0 }];

const problemSample = (code: ProblemCode, baseUrl: string): JsonObject => {
  const { status, means } = problemKinds[code];
  return {
    type: `${baseUrl}/errors/${code}`,
    title: STATUS_CODES[status],
    status,
    code,
    detail: means,
    ...(code === 'validation_failed' && { errors: WRONG }),
    ...(code === 'conversation_merged' && { conversationId: IDS.conversation }),
    requestId: 'req-1042-7',
  };
};

/** Examples by their name among the components; those that the document uses, once each. */
export class Examples {
  readonly #baseUrl: string;
  readonly #used = new Map<string, unknown>();
  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  /** In alphabetical order, as plain JSON. */
  get components(): JsonObject {
    const named = [...this.#used].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => [name, { value }]);
    return JSON.parse(JSON.stringify(Object.fromEntries(named)));
  }

  /** Returns the example of a body by its schema, if there is one. */
  ofBody({ $ref }: JsonObject): JsonObject {
    const name = String($ref).slice(String($ref).lastIndexOf('/') + 1);
    return Object.hasOwn(SAMPLES, name) ? this.#use(name, SAMPLES[name]) : {};
  }

  ofEvent(type: string, name: string): JsonObject {
    return Object.hasOwn(eventSamples, type) ? this.#use(name, eventSamples[type as EventType]) : {};
  }

  ofProblem(code: ProblemCode): JsonObject {
    return this.#use(code, problemSample(code, this.#baseUrl));
  }

  /** Returns the example of a form with a file in this field: the smallest PDF. */
  ofUpload(field: string): JsonObject {
    return this.#use('UploadedFile', { [field]: '%PDF-1.7\n%%EOF\n' });
  }

  #use(name: string, value: unknown): JsonObject {
    this.#used.set(name, value);
    return { examples: { [name]: { $ref: `#/components/examples/${name}` } } };
  }
}

/** Schemas that have a sample, for a test that each is used. */
export const sampled: readonly string[] = Object.keys(SAMPLES);
