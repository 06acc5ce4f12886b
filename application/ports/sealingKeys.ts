/** Master keys of the installation by id: the one that seals, and earlier ones that only open. */
export interface SealingKeys {
  /** 16 hexadecimal digits that do not reveal the key. */
  readonly current: string;
  /** In configuration order. */
  readonly others: readonly string[];
  /** Returns true if the text is sealed under the current key. */
  isCurrent(sealed: string): boolean;
}
