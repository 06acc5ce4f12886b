/** How many bytes the bodies of all requests may hold in memory at once, and those of one address. */

/** Memory of one body. */
export interface ReservedBytes {
  /** True if there is room for a body of `size` bytes right now; nothing is reserved. */
  fits(size: number): boolean;
  /** The body now has `size` bytes. False: there is no room for them, and its memory is unchanged. */
  grow(size: number): boolean;
  /** Releases all its memory; may be called repeatedly. */
  release(): void;
}

export interface BodyBudget {
  /** Memory for one body. `who` is only called for the address of a body that is not small. */
  reserve(who: () => string): ReservedBytes;
}

/** So much of each body is free: it waits for no other body, and connections are capped. */
export const SMALL_BODY = 16_384;
/** An address may hold the budget's fourth part, so that none of them uses it up for all. */
export const SHARES = 4;
/** Default, in bytes: two bodies of the largest size from one address, and of four addresses at once. */
export const DEFAULT_BODY_MEMORY = 64 * 1024 * 1024;

/** `most`: bytes in all. */
export function bodyBudget(most: number): BodyBudget {
  const mostOfOne = Math.floor(most / SHARES);
  const byAddress = new Map<string, number>();
  let all = 0;
  const add = (who: string, bytes: number): void => {
    all += bytes;
    const reserved = (byAddress.get(who) ?? 0) + bytes;
    if (reserved > 0) byAddress.set(who, reserved);
    else byAddress.delete(who);
  };
  return {
    reserve(address) {
      let who = '';
      let reserved = 0;
      const fits = (size: number): boolean => {
        if (size <= SMALL_BODY) return true;
        if (reserved === 0) who = address();
        const more = size - reserved;
        return all + more <= most && (byAddress.get(who) ?? 0) + more <= mostOfOne;
      };
      return {
        fits,
        grow(size) {
          if (!fits(size)) return false;
          if (size <= SMALL_BODY) return true;
          add(who, size - reserved);
          reserved = size;
          return true;
        },
        release() {
          if (reserved > 0) add(who, -reserved);
          reserved = 0;
        },
      };
    },
  };
}
