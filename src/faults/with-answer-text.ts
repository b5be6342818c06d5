import type { Reply } from '../plugin/request.ts';
import { textOf, withText } from '../values/message-text.ts';

/** The same model answer, billed the same, with another text. What is no model answer stays as it is. */
export function withAnswerText(reply: Reply, change: (text: string) => string): Reply {
  return reply.kind === 'model' ? { ...reply, parts: withText(reply.parts, change(textOf(reply.parts))) } : reply;
}
