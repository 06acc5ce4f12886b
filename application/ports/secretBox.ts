/** Encrypts secrets for storage (AES-256-GCM under the master key). `context` binds a secret to its place. */
export interface SecretBox {
  seal(plain: string, context: string): string;
  /** Throws if it was sealed under another key or for another context. */
  open(sealed: string, context: string): string;
}
