/** Encrypts what must be stored but never seen (AES-256-GCM under the master key). `context` binds a secret to its place. */
export interface SecretBox {
  seal(plain: string, context: string): string;
  /** Throws when it was sealed under another key or for another context. */
  open(sealed: string, context: string): string;
}
