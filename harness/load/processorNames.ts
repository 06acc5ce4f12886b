import type { AnyProcessor } from '../../engine/processors/processor.js';
import { createProcessors } from '../../service/composition/processors.js';

/** Whatever is asked of it, or called, is it again: processors only keep their parts when they are made. */
const anything: never = new Proxy(() => anything, { get: () => anything, apply: () => anything }) as never;

/** Of all processors that a service has, from their own list: where a folder is made whose effects are done. */
export const processorNames: readonly string[] = createProcessors(anything, anything).map(
  ({ name }: AnyProcessor) => name,
);
