/**
 * Names by which the vault finds staff. Their spaces are separate from those of customers, who are found by a store and a phone or user id.
 * Stored for ever: another name would find nobody.
 */
import type { Named } from '../../engine/sealing/leaves.js';

/** A member of one store. `stream`: stream of the store's members. */
export const memberName = (stream: string, memberId: string): Named => ({ space: stream, name: memberId });

/** Owner of a store. `stream`: stream of the store. */
export const ownerName = (stream: string): Named => ({ space: stream, name: 'owner' });

/** A user who signs in, whatever stores they are a member of. */
export const userName = (userId: string): Named => ({ space: 'users', name: userId });
