import { DEFAULTS } from '../intelligence/live/live-call.ts';
import { retried } from '../intelligence/live/retried.ts';
import { messageOf } from '../values/message-of.ts';
import type { ReportAnswer, ReportMessage, ReportSender } from '../types/reports/report-message.ts';
import type { Collector } from './collector.ts';

/** Why a report was not taken as a whole. */
export interface DeliveryProblem {
  /** What happened, for the end of a sentence; holds no header. */
  readonly message: string;
  /** True: the report is there all the same. */
  readonly isWarning: boolean;
}

/**
 * Sends messages one after the other, each tried again as calls of models are. One that is not taken in the end is the last.
 * Rejects only with the signal's reason.
 */
export async function sendMessages(
  messages: readonly ReportMessage[],
  {
    sender,
    collector,
    signal,
  }: { readonly sender: ReportSender; readonly collector: Collector; readonly signal: AbortSignal },
): Promise<readonly DeliveryProblem[]> {
  const problems: DeliveryProblem[] = [];
  const add = (message: string, isWarning = false): void => {
    problems.push({ message: collector.scrub(message), isWarning });
  };
  for (const [at, message] of messages.entries()) {
    let retries = 0;
    const tried = await retried(() => collector.post(message, signal), {
      maxRetries: DEFAULTS.maxRetries,
      jitter: Math.random,
      signal,
      onRetry: () => void retries++,
    });
    if (tried.kind === 'failed') {
      const again = retries === 0 ? '' : `, after ${retries} ${retries === 1 ? 'retry' : 'retries'}`;
      const taken = at === 0 ? '' : `; ${at} of its ${messages.length} requests were taken`;
      add(`${tried.failure.message}${again}${taken}`);
      return problems;
    }
    const { refused, warning } = answerOf(sender, tried.answer, message);
    if (refused !== undefined) add(refused);
    if (warning !== undefined) add(warning, true);
  }
  return problems;
}

/** Plug-ins read answers of servers nobody vouches for. */
function answerOf(sender: ReportSender, answer: string, message: ReportMessage): ReportAnswer {
  try {
    return sender.answered?.(answer, message) ?? {};
  } catch (error) {
    return { refused: `its answer cannot be read: ${messageOf(error)}` };
  }
}
