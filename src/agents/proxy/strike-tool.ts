import type { ToolCall } from '../../faults/chaos/compile-chaos.ts';
import type { ToolFaultReply } from '../../faults/chaos/chaos-type.ts';
import { recordedReply } from '../../faults/chaos/recorded-responses.ts';
import { toolFaultReply } from '../../faults/chaos/tool-fault-types.ts';
import { replayMiss } from '../../values/replay-miss.ts';
import { wait } from './send.ts';
import type { Session } from './session.ts';

/** Waits as declared and says what comes instead of a call: nothing ever, or a reply; null: the call is made. */
export async function strikeTool(
  call: ToolCall,
  { state, seen }: Pick<Session, 'state' | 'seen'>,
  signal: AbortSignal,
): Promise<'nothing' | ToolFaultReply | null> {
  if (state === null) return null;
  const { waitMs, fault, recorded, miss } = state.onTool(call);
  if (miss !== undefined) {
    seen.missed.add(miss);
    return { status: 502, body: `passk: ${replayMiss(miss)}` };
  }
  await wait(waitMs, signal);
  if (recorded !== undefined) return recordedReply(recorded) ?? 'nothing';
  if (fault === null) return null;
  if (fault.mode !== 'timeout') return toolFaultReply(fault);
  await wait(fault.delayMs, signal);
  return 'nothing';
}
