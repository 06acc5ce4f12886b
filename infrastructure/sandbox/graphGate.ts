/** Checks common to all of the provider's endpoints: version, token, and faults on demand. */
import { sameText } from '../channel/signature.js';
import type { Fault, Faults, FaultTarget } from './faults.js';
import { GraphError } from './graphError.js';
import type { SandboxRequest } from './routes.js';

const LONGEST_HANG_MS = 60_000;

/** Waits until the caller gives up, the sandbox closes, or a minute has passed. */
function hang(request: SandboxRequest, closing: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, LONGEST_HANG_MS);
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    request.raw.socket.once('close', end);
    closing.addEventListener('abort', end, { once: true });
    if (closing.aborted) end();
  });
}

export interface GraphGate {
  /** Throws a GraphError unless the bearer token is right. */
  authorise(request: SandboxRequest): void;
  /** Authorises, then answers the fault that meets this call; errors and hangs are played here. */
  fault(request: SandboxRequest, target: FaultTarget): Promise<Fault | undefined>;
}

/** `closing`: aborted when the sandbox closes; calls that hang end then. */
export function createGate(accessToken: string, faults: Faults, closing: AbortSignal): GraphGate {
  function authorise(request: SandboxRequest): void {
    // Some of the provider's endpoints write the scheme as OAuth.
    const given = (request.raw.headers.authorization ?? '').replace(/^OAuth /, 'Bearer ');
    if (!sameText(given, `Bearer ${accessToken}`)) throw new GraphError(190, 'Invalid OAuth access token.', 401);
  }
  return {
    authorise,
    async fault(request, target) {
      const { version } = request.params;
      if (version !== undefined && !/^v\d+\.\d+$/.test(version))
        throw new GraphError(2500, 'Unknown path components', 404);
      authorise(request);
      const found = faults.take(target);
      if (found?.kind === 'error') throw new GraphError(found.code, `(#${found.code}) A fault on demand`);
      if (found?.kind === 'hang') {
        await hang(request, closing);
        throw new GraphError(2, 'Service temporarily unavailable', 503);
      }
      return found;
    },
  };
}
