/** A file of the data folder whose content is not what was written to it. `file`: its name, without a folder. */
export class FileDamaged extends Error {
  override readonly name = 'FileDamaged';
  readonly file: string;
  /** What is wrong with the content, without the file's name. */
  readonly reason: string;
  /** The driver's, where it is a database. */
  readonly code: string;
  constructor(file: string, reason: string, code = '') {
    super(`${file} is damaged: ${reason}`);
    this.file = file;
    this.reason = reason;
    this.code = code;
  }
}
