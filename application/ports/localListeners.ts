/** Allows single addresses on this machine for webhooks, in the service that sends them. In memory: a restart clears them. */
export interface LocalListeners {
  /** Allows the address for 30 s from now. Returns false if too many are allowed already. */
  admit(url: string): boolean;
  withdraw(url: string): void;
  admits(url: string): boolean;
}
