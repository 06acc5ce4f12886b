/**
 * Index keys of a customer's events in the history index. A sealed id is indexed by the random id of the person whose key seals it. Only
 * the vault resolves that id, and nothing does once the person is erased. An id in clear text is indexed by a hash with a secret of the
 * vault, so that the index alone does not allow guessing numbers.
 */

import { createHmac, hash } from 'node:crypto';
import { formsOf } from '../../domain/channel/phoneForms.js';
import { boxesIn, hasValueAt, IN_META } from '../../engine/sealing/sealedData.js';
import type { IndexedPeople } from '../ports/historyIndex.js';
import { CUSTOMER, type CustomerFacets } from './historyFacets.js';

const ACTOR = `${IN_META}actor.id`;

const ofPerson = (store: string, person: string): string => `person ${store} ${person}`;
const inClear = (store: string, id: string, secret: string): string =>
  `clear ${createHmac('sha256', secret).update(`${store}\0${id}`).digest('base64url')}`;

/** Identifies a secret without revealing it. */
export const nameOfSecret = (secret: string): string => hash('sha256', secret, 'base64url');

interface Acting {
  readonly type?: unknown;
  readonly id?: unknown;
}

/** Returns index keys of the acting customer, if the actor is a customer with an id. `data`: as stored. */
export function customerFacetsOf(
  { workspaceId: store, actor }: { readonly workspaceId?: unknown; readonly actor?: unknown },
  data: () => object,
  secret: string,
): readonly string[] {
  const { type, id } = (actor ?? {}) as Acting;
  if (type !== CUSTOMER || typeof store !== 'string') return [];
  if (typeof id === 'string') return [inClear(store, id, secret)];
  if (id !== null) return [];
  const boxes = boxesIn(data()) ?? [];
  return boxes.filter((box) => hasValueAt(box, ACTOR)).map(([, person]) => ofPerson(store, person));
}

/** Returns index keys for a customer id in a query. */
export const queriedFacets =
  (people: IndexedPeople): CustomerFacets =>
  async (store, id) => {
    const forms = formsOf(id);
    const persons = new Set((await Promise.all(forms.map((form) => people.everyone(store, form)))).flat());
    const secret = await people.secret();
    return [...forms.map((form) => inClear(store, form, secret)), ...[...persons].map((one) => ofPerson(store, one))];
  };
