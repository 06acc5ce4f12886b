import type { AnyProcessor } from '../../engine/processors/processor.js';
import { createProcessors } from '../../service/composition/processors.js';

/** Returns itself for each access and call: processors only store their dependencies when they are created. */
const anything: never = new Proxy(() => anything, { get: () => anything, apply: () => anything }) as never;

/** Names of all processors of a service, from their own list, for a folder whose effects are done. */
export const processorNames: readonly string[] = createProcessors(anything, anything).map(
  ({ name }: AnyProcessor) => name,
);
