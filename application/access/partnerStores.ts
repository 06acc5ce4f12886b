import { createHash } from 'node:crypto';
import { partnerStore, takeReference } from '../../domain/partners/partnerStore.js';
import { type CreateStore, createStore, store } from '../../domain/stores/store.js';
import { derivedId } from '../ids.js';
import type { BoundCommands } from './boundCommands.js';

export type NewPartnerStore = CreateStore & { readonly partnerId: string; readonly externalRef: string };

/** A store's id follows from whose it is, so that two creates at once, and a repeated one, mean the same store. */
export const workspaceIdOf = (partnerId: string, externalRef: string): string =>
  derivedId('store', partnerId, externalRef);

/** Id of the stream that keeps a reference unique. */
const referenceId = (partnerId: string, externalRef: string): string =>
  `${partnerId}.${createHash('sha256').update(externalRef).digest('hex').slice(0, 32)}`;

/**
 * Creates a partner's store, or finds the one that has the reference and changes nothing. Two streams, one after the
 * other: a crash between them leaves a reference whose store the next create makes.
 * (Specification 2, 'Partner API', rule 1.)
 */
export async function createPartnerStore(
  commands: BoundCommands,
  wanted: NewPartnerStore,
): Promise<{ workspaceId: string; created: boolean }> {
  const { partnerId, externalRef } = wanted;
  const reference = referenceId(partnerId, externalRef);
  const proposed = workspaceIdOf(partnerId, externalRef);
  await commands.decide(partnerStore, reference, takeReference({ partnerId, externalRef, workspaceId: proposed }));
  const workspaceId = await commands.query(partnerStore, reference, (taken) => taken?.workspaceId ?? proposed);
  const { events } = await commands.decide(store, workspaceId, createStore(wanted));
  return { workspaceId, created: events.length > 0 };
}
