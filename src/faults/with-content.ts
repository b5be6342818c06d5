import type { Reply } from '../plugin/request.ts';

/** The same model answer, billed the same, with other content. What is no model answer stays as it is. */
export function withContent(reply: Reply, change: (content: string) => string): Reply {
  return reply.kind === 'model' ? { ...reply, content: change(reply.content) } : reply;
}
