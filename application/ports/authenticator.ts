/** Tells what this installation has said from what others say (a MAC under a key of the master key's). */
export interface Authenticator {
  /** 24 characters of base64url. */
  tag(text: string): string;
  /** Whether one of this installation's keys has given the text this tag. */
  accepts(text: string, tag: string): boolean;
}
