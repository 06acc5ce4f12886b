/** What admits single addresses on this machine for webhooks, in the service that sends them. In memory: a restart forgets them. */
export interface LocalListeners {
  /** For the next 30 s; again: anew. False: too many are admitted already. */
  admit(url: string): boolean;
  withdraw(url: string): void;
  admits(url: string): boolean;
}
