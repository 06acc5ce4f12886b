/** A port that cannot be opened. */
export class CannotListen extends Error {
  override readonly name = 'CannotListen';
  /** Such as EADDRINUSE. */
  readonly code: string;
  readonly host: string;
  readonly port: number;
  constructor(host: string, port: number, cause: NodeJS.ErrnoException) {
    super(cause.message, { cause });
    this.code = cause.code ?? '';
    this.host = host;
    this.port = port;
  }
}
