/**
 * Signed statement that a log was moved into another log whose events are sealed. The leaves of the logs differ, so no
 * proof links a tree head of one log to a tree head of the other. docs/concepts/proofs.md documents the layout.
 */
import { isSignedText, signText } from './treeHead.js';

/** Size and root of a complete log. */
export interface LogRoot {
  /** Number of events. */
  readonly size: number;
  /** 64 hexadecimal digits. */
  readonly rootHash: string;
}

export interface MoveStatement {
  /** Source log and target log, with the same events in the same order. */
  readonly from: LogRoot;
  readonly to: LogRoot;
  /** True if the opened events of `to` give the root of `from`. Every owner of the keys can verify that. */
  readonly reopens: boolean;
  /** Time of the signature, RFC 3339 in UTC with ms. */
  readonly time: string;
  /** 16 hexadecimal digits. */
  readonly keyId: string;
}

export interface SignedStatement extends MoveStatement {
  /** Ed25519, 64 bytes in base64. */
  readonly signature: string;
}

/** Signed text: ASCII lines, each terminated by LF. */
const textOf = ({ from, to, reopens, time, keyId }: MoveStatement): Buffer =>
  Buffer.from(
    `suuq sealed log v1\n${from.size}\n${from.rootHash}\n${to.size}\n${to.rootHash}\n${reopens ? 'reopens' : 'differs'}\n${time}\n${keyId}\n`,
  );

export const signStatement = (statement: MoveStatement, privateKey: string): SignedStatement => ({
  ...statement,
  signature: signText(textOf(statement), privateKey),
});

/** Returns true if the owner of this public key (32 bytes in base64) signed the statement. */
export const isStatementBy = (statement: SignedStatement, publicKey: string): boolean =>
  isSignedText(textOf(statement), statement, publicKey);
