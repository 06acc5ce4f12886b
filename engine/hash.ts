const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** A text as a number from 0 to 2³² − 1, the same for ever: FNV-1a over its UTF-16 units, its bits mixed once more (MurmurHash3). */
export function hashOf(text: string): number {
  let hash = FNV_OFFSET;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
