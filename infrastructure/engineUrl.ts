/** The URL of an engine cannot be used as it is written. The message names an option at most, never a password. */
export class BadEngineUrl extends Error {
  override readonly name = 'BadEngineUrl';
  readonly #problem: string;

  /** The problem follows the name of the setting in one sentence. */
  constructor(setting: string, problem: string) {
    super(`${setting} ${problem}`);
    this.#problem = problem;
  }

  /** The same about a URL that was given by another setting or option. */
  of(setting: string): BadEngineUrl {
    return new BadEngineUrl(setting, this.#problem);
  }
}
