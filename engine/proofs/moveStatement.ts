/**
 * A signed statement that a log was moved into another one whose events are sealed: the leaves of both differ, so that no path leads
 * from a head of the one to a head of the other. docs/concepts/proofs.md has the layout for others.
 */
import { isSignedText, signText } from './treeHead.js';

/** A log as a whole. */
export interface LogRoot {
  /** Events. */
  readonly size: number;
  /** 64 hexadecimal digits. */
  readonly rootHash: string;
}

export interface MoveStatement {
  /** The log that was moved, and the one that it became: the same events, in the same order. */
  readonly from: LogRoot;
  readonly to: LogRoot;
  /** Whether the root of the first follows from the events of the second, opened: then whoever has the keys can see that it is so. */
  readonly reopens: boolean;
  /** When it was signed, RFC 3339 in UTC with ms. */
  readonly time: string;
  /** 16 hexadecimal digits. */
  readonly keyId: string;
}

export interface SignedStatement extends MoveStatement {
  /** Ed25519, 64 bytes in base64. */
  readonly signature: string;
}

/** What is signed: lines of ASCII, each ended by LF. */
const textOf = ({ from, to, reopens, time, keyId }: MoveStatement): Buffer =>
  Buffer.from(
    `suuq sealed log v1\n${from.size}\n${from.rootHash}\n${to.size}\n${to.rootHash}\n${reopens ? 'reopens' : 'differs'}\n${time}\n${keyId}\n`,
  );

export const signStatement = (statement: MoveStatement, privateKey: string): SignedStatement => ({
  ...statement,
  signature: signText(textOf(statement), privateKey),
});

/** Whether it was signed by the holder of this public key, 32 bytes in base64. */
export const isStatementBy = (statement: SignedStatement, publicKey: string): boolean =>
  isSignedText(textOf(statement), statement, publicKey);
