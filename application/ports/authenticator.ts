/** Authenticates texts of this installation (a MAC under a key derived from the master key). */
export interface Authenticator {
  /** 24 characters of base64url. */
  tag(text: string): string;
  /** Returns true if the tag was made for the text with one of this installation's keys. */
  accepts(text: string, tag: string): boolean;
}
