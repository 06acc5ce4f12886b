/** Stored for ever, in the stream of the store or the partner that owns the key. Add fields as optional, never change a meaning. */
import { OneOf } from '../schema.js';
import { Code, defineEvents, type EventsOf, event, Id, List, Maybe, Shape, type Stored } from '../storedEvents.js';

export const Mode = OneOf('live', 'test');
export type Mode = Stored<typeof Mode>;

const Key = Shape('Key', {
  keyId: Id(),
  kind: OneOf('secret', 'publishable'),
  mode: Mode,
  scopes: List(Code()),
  hash: Code('Hex SHA-256 of the whole key, by which the key of a request is found.'),
  sealed: Code(
    'A secret key under the master key, for signatures of user tokens; empty for a publishable key, where the oldest have one.',
  ),
  last4: Code(),
  origins: Maybe(
    List(Code()),
    'For a publishable key: origins that may frame the embed page, such as https://shop.example. If absent, none.',
  ),
});
/** `kind`: secret is sk_ or psk_, publishable pk_ or ppk_. */
export type Key = Stored<typeof Key>;

export const keyEvents = defineEvents({
  KeyCreated: event('The operator creates a key for the store or partner.', Key.properties),
  KeyRevoked: event('The operator revokes a key of the store or partner.', { keyId: Id(), hash: Code() }),
});
export type KeyEvent = EventsOf<typeof keyEvents>;
