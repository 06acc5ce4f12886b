/** A store of the town, with the ids that the workload uses. */
export interface Store {
  readonly workspaceId: string;
  readonly key: string;
  readonly phoneNumberId: string;
  readonly numberId: string;
  readonly catalogId: string;
  /** Id of a staff member. */
  readonly memberId: string;
  /** Customers pay with wallets. */
  readonly takesPayments: boolean;
}
