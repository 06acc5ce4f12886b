import type { ChannelNumber } from '../../domain/stores/storeEvents.js';

/** A business number and its store. */
export interface StoreNumber extends ChannelNumber {
  readonly workspaceId: string;
  readonly partnerId?: string;
}

/** Connected numbers of all stores. */
export interface ChannelNumbers {
  byPhoneNumberId(phoneNumberId: string): Promise<StoreNumber | undefined>;
  byNumberId(numberId: string): Promise<StoreNumber | undefined>;
}
