import type { ToolCall } from '../../faults/chaos/compile-chaos.ts';
import type { ToolFaultReply } from '../../faults/chaos/chaos-type.ts';
import { toolFaultReply } from '../../faults/chaos/tool-fault-types.ts';
import { wait } from './send.ts';
import type { Session } from './session.ts';

/** Waits as declared and says what comes instead of a call: nothing ever, or a reply; null: the call is made. */
export async function strikeTool(
  call: ToolCall,
  { state }: Pick<Session, 'state'>,
  signal: AbortSignal,
): Promise<'nothing' | ToolFaultReply | null> {
  if (state === null) return null;
  const { waitMs, fault } = state.onTool(call);
  await wait(waitMs, signal);
  if (fault === null) return null;
  if (fault.mode !== 'timeout') return toolFaultReply(fault);
  await wait(fault.delayMs, signal);
  return 'nothing';
}
