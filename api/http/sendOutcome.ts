/** Sends what came of a request, and counts it as finished. */
import type { FileAnswer } from '../contract/operation.js';
import { finished, type PipelineContext } from './context.js';
import type { Exchange } from './exchange.js';
import { sendFile } from './fileAnswer.js';
import type { Outcome } from './outcome.js';

/** Resolves when it is handed over; of a file, when its bytes are. */
export async function sendOutcome(
  exchange: Exchange,
  { status, text, contentType, file }: Outcome,
  context: PipelineContext,
): Promise<void> {
  if (file !== undefined) return sendWhole(exchange, file, context);
  exchange.answer(status, text, contentType);
  finished(exchange, status, context);
}

async function sendWhole(exchange: Exchange, file: FileAnswer, context: PipelineContext): Promise<void> {
  try {
    finished(exchange, await sendFile(exchange, file), context);
  } catch (error) {
    if (!exchange.response.headersSent) throw error;
    // The client sees that less came than was announced.
    exchange.response.destroy();
    const { code } = error as NodeJS.ErrnoException;
    const isGone = code === 'ERR_STREAM_PREMATURE_CLOSE';
    finished(exchange, isGone ? exchange.response.statusCode : 500, context, isGone ? undefined : error);
  }
}
