import { defined } from '../domain/defined.js';
import { store } from '../domain/stores/store.js';
import type { BoundCommands } from '../engine/commandHandler/boundCommands.js';

/** Returns the store and its partner, for the metadata of events that a command on this store makes. */
export async function aboutStore(
  { query }: Pick<BoundCommands, 'query'>,
  workspaceId: string,
): Promise<{ readonly workspaceId: string; readonly partnerId?: string }> {
  const partnerId = await query(store, workspaceId, (state) =>
    state.status === 'absent' ? undefined : state.partnerId,
  );
  return { workspaceId, ...defined({ partnerId }) };
}
