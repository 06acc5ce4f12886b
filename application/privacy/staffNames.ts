/**
 * By what those who work for stores are found in the vault: in spaces of names of their own, apart from customers, who are found by a
 * store and a phone or user id. Stored for ever: another name would find nobody.
 */
import type { Named } from '../../engine/sealing/leaves.js';

/** A member of one store. `stream`: of the store's members. */
export const memberName = (stream: string, memberId: string): Named => ({ space: stream, name: memberId });

/** Whom a store was made for. `stream`: the store's. */
export const ownerName = (stream: string): Named => ({ space: stream, name: 'owner' });

/** Somebody who signs in, in whichever stores they are a member. */
export const userName = (userId: string): Named => ({ space: 'users', name: userId });
