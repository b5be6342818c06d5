import type { Chaos, RecordedResponse, ToolFault } from '../../types/chaos.ts';
import { writeJson } from '../../values/exact-json.ts';
import type { ToolFaultReply } from './chaos-type.ts';

/** The recorded answers that are failures, which count as faults of tools. */
export function recordedFailures({ recorded = [] }: Chaos): readonly RecordedResponse[] {
  return recorded.filter(isFailure);
}

/** True: no answer came, or one that says that something went wrong. */
export function isFailure({ status }: RecordedResponse): boolean {
  return status === 0 || status >= 400;
}

/** What a tool says; null: no answer came. */
export function recordedReply({ status, response }: RecordedResponse): ToolFaultReply | null {
  if (status === 0) return null;
  if (typeof response === 'string') return { status, body: response };
  return { status, body: response === null ? '' : writeJson(response), isJson: true };
}

/** The fault that a recorded failure is like, without its delay. */
export function faultLike(failure: RecordedResponse): ToolFault {
  const { tool, status } = failure;
  return {
    tool,
    matchUrl: null,
    mode: status === 0 ? 'timeout' : 'error',
    delayMs: 0,
    errorCode: status,
    message: recordedReply(failure)?.body ?? '',
    payload: '',
    probability: null,
    afterCalls: 0,
  };
}

/** Its name among those of declared faults. */
export function failureLabel({ tool, status }: RecordedResponse): string {
  return `recorded ${tool}: ${status === 0 ? 'no answer' : status}`;
}
