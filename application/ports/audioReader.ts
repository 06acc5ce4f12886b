/** What a file is heard as. `durationMs` in ms; `mimeType` by what the bytes are, not by what anybody says. */
export interface Sound {
  readonly mimeType: 'audio/wav' | 'audio/mpeg' | 'audio/ogg' | 'audio/mp4' | 'audio/aac';
  readonly durationMs: number;
}

/** The bytes are no sound that calls can play. The message is a sentence for the store. */
export class UnreadableSound extends Error {
  override readonly name = 'UnreadableSound';
}

/** Reads what a sound file is, and for how long it plays, from its bytes alone. */
export interface AudioReader {
  /**
   * Rejects with `UnreadableSound`, with the error of `content`, or with another one when it could not be found out. Bounded
   * in time, and in memory by `mostBytes` however much `content` gives or its headers promise; files are read one at a time.
   */
  read(content: AsyncIterable<Uint8Array>, mostBytes: number): Promise<Sound>;
  /** Ends what is being read. */
  close(): Promise<void>;
}
