import { createHash } from 'node:crypto';
import type { FieldProblem } from '../../domain/decider.js';
import { DOT_SEGMENT, isDotSegment } from '../../domain/dotSegment.js';
import { derivedId } from '../../domain/ids.js';
import { partnerStore, takeReference } from '../../domain/partners/partnerStore.js';
import { isCountry } from '../../domain/stores/countries.js';
import { type CreateStore, createStore, store } from '../../domain/stores/store.js';
import type { BoundCommands } from '../../engine/commandHandler/boundCommands.js';
import { isTimezone } from './timezones.js';

export type NewPartnerStore = CreateStore & { readonly partnerId: string; readonly externalRef: string };

/**
 * Returns problems of a new store that a schema cannot express. `at`: prefix of each field's name, such as `body.` in a request. The
 * country may be in any case.
 */
export function newStoreProblems(
  requested: Pick<CreateStore, 'country' | 'timezone' | 'externalRef'>,
  at: string,
): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const { country, timezone, externalRef } = requested;
  const report = (field: keyof typeof requested, message: string): void => {
    problems.push({ message, location: `${at}${field}`, value: requested[field] });
  };
  if (!isCountry(country.toUpperCase())) report('country', 'must be a country of ISO 3166-1, as alpha-2, such as SO');
  if (!isTimezone(timezone)) report('timezone', 'must be an IANA time zone name, such as Africa/Mogadishu');
  if (externalRef !== undefined && isDotSegment(externalRef)) report('externalRef', DOT_SEGMENT);
  return problems;
}

/** Derives a store's id from its partner and reference, so that concurrent and repeated requests create the same store. */
export const workspaceIdOf = (partnerId: string, externalRef: string): string =>
  derivedId('store', partnerId, externalRef);

/** Id of the stream that makes a reference unique. */
const referenceId = (partnerId: string, externalRef: string): string =>
  `${partnerId}.${createHash('sha256').update(externalRef).digest('hex').slice(0, 32)}`;

/**
 * Creates a partner's store, or returns the existing store with the reference without changing it. It writes two streams, one after the
 * other. After a crash in between, the next request creates the store of the reference. (Specification 2, 'Partner API', rule 1.)
 */
export async function createPartnerStore(
  commands: BoundCommands,
  requested: NewPartnerStore,
): Promise<{ workspaceId: string; created: boolean }> {
  const { partnerId, externalRef } = requested;
  const reference = referenceId(partnerId, externalRef);
  const proposed = workspaceIdOf(partnerId, externalRef);
  await commands.decide(partnerStore, reference, takeReference({ partnerId, externalRef, workspaceId: proposed }));
  const workspaceId = await commands.query(partnerStore, reference, (taken) => taken?.workspaceId ?? proposed);
  const { events } = await commands.decide(store, workspaceId, createStore(requested));
  return { workspaceId, created: events.length > 0 };
}
