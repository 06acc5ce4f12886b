import type { ChannelNumber } from '../../domain/stores/storeEvents.js';

/** A business number and the store that it belongs to. */
export interface StoreNumber extends ChannelNumber {
  readonly workspaceId: string;
  readonly partnerId?: string;
}

/** The connected numbers of all stores. */
export interface ChannelNumbers {
  byPhoneNumberId(phoneNumberId: string): Promise<StoreNumber | undefined>;
  byNumberId(numberId: string): Promise<StoreNumber | undefined>;
}
