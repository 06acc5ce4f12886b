/** The master keys of the installation, by their ids: the one that seals, and those before it that only open. */
export interface SealingKeys {
  /** 16 hexadecimal digits, from which nobody learns the key. */
  readonly current: string;
  /** In the order in which they were given. */
  readonly others: readonly string[];
  /** Whether it is sealed under the current key, and says so. */
  isCurrent(sealed: string): boolean;
}
