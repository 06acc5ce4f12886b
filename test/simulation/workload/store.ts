/** One of the town's stores, as those know it who work with it. */
export interface Store {
  readonly workspaceId: string;
  readonly key: string;
  readonly phoneNumberId: string;
  readonly numberId: string;
  readonly catalogId: string;
  /** A member of its staff. */
  readonly memberId: string;
  /** Whether customers pay with wallets. */
  readonly takesPayments: boolean;
}
