/** Properties of an audio file. `durationMs` in ms. `mimeType` is detected from the bytes, not declared. */
export interface Sound {
  readonly mimeType: 'audio/wav' | 'audio/mpeg' | 'audio/ogg' | 'audio/mp4' | 'audio/aac';
  readonly durationMs: number;
}

/** The bytes are not audio that calls can play. The message is a sentence for the store. */
export class UnreadableSound extends Error {
  override readonly name = 'UnreadableSound';
}

/** Detects type and duration of an audio file from its bytes alone. */
export interface AudioReader {
  /**
   * Rejects with `UnreadableSound`, with the error of `content`, or with another error if the result is unknown. Bounded in time, and in
   * memory by `mostBytes`, whatever the size of `content` or its headers. Files are read one at a time.
   */
  read(content: AsyncIterable<Uint8Array>, mostBytes: number): Promise<Sound>;
  /** Ends reads in progress. */
  close(): Promise<void>;
}
