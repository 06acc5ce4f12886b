/** A file in the data folder has unexpected content. `file`: its name without the folder. */
export class FileDamaged extends Error {
  override readonly name = 'FileDamaged';
  readonly file: string;
  /** Description of the damage, without the file's name. */
  readonly reason: string;
  /** Error code of the driver if the file is a database. */
  readonly code: string;
  constructor(file: string, reason: string, code = '') {
    super(`${file} is damaged: ${reason}`);
    this.file = file;
    this.reason = reason;
    this.code = code;
  }
}
