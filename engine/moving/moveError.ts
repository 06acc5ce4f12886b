/** Why a history was not moved. Nothing is taken from the source, whatever happens. */
export type MoveProblem =
  /** The target holds events that the source does not hold at the same place: it must be empty, or what a move began. */
  | 'target_holds_other_events'
  /** The source hides events of a stream, or the log of the source moved: it cannot be copied whole. */
  | 'source_not_whole'
  /** One event is larger than the target takes. */
  | 'event_too_large'
  /** What the target holds in the end is not what the source holds. */
  | 'not_equal'
  /** What was to be sealed on the way stands in clear in the target. */
  | 'not_sealed';

export class MoveError extends Error {
  override readonly name = 'MoveError';
  readonly code: MoveProblem;
  constructor(code: MoveProblem, message: string) {
    super(message);
    this.code = code;
  }
}
