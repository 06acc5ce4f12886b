/** A page of a list from the read models alone: what a thread does that has nothing else of the service. */
import type { Features } from '../../application/access/principal.js';
import type { Authenticator } from '../../application/ports/authenticator.js';
import type { Reads } from '../../engine/projections/reads.js';
import { Json, type Operation } from '../contract/operation.js';
import type { Services } from '../contract/services.js';
import type { Access } from './access.js';
import { AnswerSources } from './answerSources.js';
import { etagOf } from './conditional.js';
import { asHandled, OperationRequest } from './operationRequest.js';
import type { PageMaking, PageTask } from './pageMakers.js';
import { RequestScope } from './requestScope.js';

/** Thrown when the page needs more than this thread has. */
class Elsewhere extends Error {
  constructor() {
    super('made of more than read models');
  }
}

/** Stops an operation that reads beyond the views before it reads anything. */
class ViewsOnly extends AnswerSources {
  constructor() {
    super(0);
  }
  override other(): never {
    throw new Elsewhere();
  }
}

const NO_FEATURES: Features = {
  has() {
    throw new Elsewhere();
  },
  limit() {
    throw new Elsewhere();
  },
};

const owned = <T extends object>(owner: T | undefined) => owner && { ...owner, features: NO_FEATURES };

/** Its bytes lie in memory of their own, so that they can be given to another thread as they are. */
function bytesOf(text: string): Buffer<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/** Makes pages of these operations. What it answers never rejects. */
export function pageMaking(
  operations: readonly Operation[],
  { reads, cursors }: { readonly reads: Reads; readonly cursors: Authenticator },
): (task: PageTask) => Promise<PageMaking> {
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  // Everything else that an operation may use throws when it is read.
  const services = { reads, cursors } as Services;

  async function made({ operation, params, query, ...caller }: PageTask): Promise<PageMaking> {
    const sources = new ViewsOnly();
    const { member } = caller;
    const workspace = owned(caller.workspace);
    const partner = owned(caller.partner);
    const access = { workspace, partner, member } as unknown as Access;
    const scope = new RequestScope({
      services,
      progress: { waitFor: () => sources.other() },
      principal: access.principal,
      memberId: member?.memberId,
      requestId: '',
      workspaceId: workspace?.workspaceId,
      partnerId: workspace?.partnerId ?? partner?.partnerId,
      seed: undefined,
      ...{ operation, params, query, sources },
    });
    const input = { params, query, body: undefined };
    const request = new OperationRequest(input, access, scope, services, '', sources);
    const { status, body } = await byId.get(operation)!.handle(asHandled(request));
    if (status !== 200 || body === undefined) return 'elsewhere';
    const bytes = bytesOf(body instanceof Json ? body.text : JSON.stringify(body));
    return { bytes, etag: etagOf(bytes), projections: sources.projections };
  }

  return (task) => made(task).catch((error) => (error instanceof Elsewhere ? 'elsewhere' : undefined));
}
