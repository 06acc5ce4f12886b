/** Mounts the routes for machines on a router. */
import { READING, type Router } from '../../infrastructure/http/router.js';
import { clientAddress } from '../http/clientAddress.js';
import { fail, finished, type PipelineContext } from '../http/context.js';
import { Exchange, PLAIN_HEADERS } from '../http/exchange.js';
import type { RateLimiter } from '../http/rates/rateLimit.js';
import { takeToken } from '../http/takeToken.js';
import type { MachineRoute } from './machineRoutes.js';

/** Counted by themselves, and here alone, so that health waits neither for what clients of its address do nor for an engine. */
export function mountMachines(
  router: Router,
  routes: readonly MachineRoute[],
  limiter: RateLimiter | undefined,
  context: PipelineContext,
): void {
  for (const route of routes)
    router.on(READING, route.path, async (request, response) => {
      const exchange = new Exchange(request, response, route.id, PLAIN_HEADERS, context.lifecycle);
      try {
        const counting = takeToken(
          exchange,
          limiter,
          clientAddress(request, context.trustProxy),
          context.services.clock.steady.now(),
        );
        if (counting !== undefined) await counting;
        const { status, content, contentType, headers } = await route.answer(request);
        Object.assign(exchange.headers, headers);
        exchange.answer(status, content, contentType);
        finished(exchange, status, context);
      } catch (error) {
        fail(exchange, error, context);
      }
    });
}
