/** Reason why a history was not moved. The source is never changed. */
export type MoveProblem =
  /**
   * The target has events that the source lacks at the same place. It must be empty, or come from an interrupted move.
   */
  | 'target_holds_other_events'
  /** The source hides events of a stream, or its log changed, so it cannot be copied completely. */
  | 'source_not_whole'
  /** One event exceeds the target's size limit. */
  | 'event_too_large'
  /** The final content of the target differs from the source. */
  | 'not_equal'
  /** Data that the move should seal is unsealed in the target. */
  | 'not_sealed';

export class MoveError extends Error {
  override readonly name = 'MoveError';
  readonly code: MoveProblem;
  constructor(code: MoveProblem, message: string) {
    super(message);
    this.code = code;
  }
}
