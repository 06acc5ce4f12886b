/**
 * What a customer's events are found by in the index of the history. Where their id is sealed it is the random id of the person under
 * whose key it is, to which the vault alone leads: once they are forgotten, nothing does. Where it stands in clear in the log it is a hash
 * with a secret of the vault, so that whoever has the index without the log cannot find a number by trying.
 */

import { createHmac, hash } from 'node:crypto';
import { formsOf } from '../../domain/channel/phoneForms.js';
import { boxesIn, holdsPlace, IN_META } from '../../engine/sealing/sealedData.js';
import type { IndexedPeople } from '../ports/historyIndex.js';
import { CUSTOMER, type CustomerFacets } from './facets.js';

const ACTOR = `${IN_META}actor.id`;

const ofPerson = (store: string, person: string): string => `person ${store} ${person}`;
const inClear = (store: string, id: string, secret: string): string =>
  `clear ${createHmac('sha256', secret).update(`${store}\0${id}`).digest('base64url')}`;

/** Says of a secret which one it is, and nothing more. */
export const nameOfSecret = (secret: string): string => hash('sha256', secret, 'base64url');

interface Acting {
  readonly type?: unknown;
  readonly id?: unknown;
}

/** Who acted in the event, if it is a customer who has an id. `data`: as it is stored. */
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
  return boxes.filter((box) => holdsPlace(box, ACTOR)).map(([, person]) => ofPerson(store, person));
}

/** The same of an id that somebody asks for. */
export const askedOf =
  (people: IndexedPeople): CustomerFacets =>
  async (store, id) => {
    const forms = formsOf(id);
    const persons = new Set((await Promise.all(forms.map((form) => people.everyone(store, form)))).flat());
    const secret = await people.secret();
    return [...forms.map((form) => inClear(store, form, secret)), ...[...persons].map((one) => ofPerson(store, one))];
  };
