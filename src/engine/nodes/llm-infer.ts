import type { Move, NodeType } from '../../plugin/node-type.ts';
import type { Reply } from '../../plugin/request.ts';
import type { Message } from '../../types/message.ts';
import { textMessage, textOf } from '../../values/message-text.ts';
import { readAnswer, type AnswerReader, type OutputSchema } from '../answer.ts';
import { errorMove, replyError } from '../error-move.ts';
import { wrongReply } from '../reply-move.ts';
import { fromState, toState } from '../step-state.ts';
import { compileTemplate, tooLong } from '../template.ts';

export interface LlmInfer {
  readonly backend: string;
  readonly prompt: string;
  readonly inputFrom?: string;
  /** Absent: any text is accepted. */
  readonly outputSchema?: OutputSchema;
  /** How often a rejected answer is sent back. */
  readonly outputRepairs?: number;
}

const MAX_TOKENS = 1024;

interface State {
  /** Answers rejected so far. */
  readonly attempt: number;
  readonly messages: readonly Message[];
}

/** Asks a model once, and again for each rejected answer as long as repairs are left. */
export const llmInfer: NodeType<LlmInfer> = {
  kind: 'node',
  type: 'llm_infer',
  summary: 'Asks a model, checks its answer and asks it to repair what is wrong.',
  capability: 'llm_infer',
  needs: () => ['model'],
  labels: () => [],
  mostRequests: ({ outputRepairs = 0 }) => outputRepairs + 1,
  schemaKey: 'outputSchema',
  passesTo: 'requests',
  outputKeys: ['content', 'parsed', 'usage'],
  create: (config, { id, backends, compileSchema }) => {
    const { backend, inputFrom, outputRepairs = 0 } = config;
    const render = compileTemplate(config.prompt, 'prompt');
    const read = readAnswer(config.outputSchema, compileSchema);
    const unknown = backends.includes(backend) ? null : errorMove('intelligence', unknownBackend(backend, backends));
    return {
      reads: inputFrom === undefined ? [] : [{ from: 'path', path: inputFrom }],
      begin: ([input = null]) => {
        if (unknown !== null) return unknown;
        const prompt = render(input);
        if (prompt === null) return errorMove('tool', tooLong('prompt'));
        return ask(backend, { attempt: 0, messages: [textMessage('user', prompt)] });
      },
      after: (json, reply) => judge(reply, fromState<State>(json), { id, backend, attempts: outputRepairs + 1, read }),
    };
  },
};

interface Rules {
  readonly id: string;
  readonly backend: string;
  readonly attempts: number;
  readonly read: AnswerReader;
}

function judge(reply: Reply, { attempt, messages }: State, { id, backend, attempts, read }: Rules): Move {
  if (reply.kind === 'error') return replyError(reply);
  if (reply.kind !== 'model') return wrongReply(reply);
  const content = textOf(reply.parts);
  const answer = read(content);
  if (answer.ok) {
    const { promptTokens = 0, completionTokens = 0 } = reply.usage ?? {};
    const usage = { prompt_tokens: promptTokens, completion_tokens: completionTokens };
    return { kind: 'done', output: { content, parsed: answer.value, usage } };
  }
  const { reason } = answer;
  if (attempt + 1 >= attempts) {
    const message = `llm_infer node \`${id}\`: output failed validation after ${attempts} attempt(s): ${reason}`;
    if (reply.finish !== 'length') return errorMove('schema', message);
    // What is cut at a cap is seldom whole JSON, and its error says nothing of the cap.
    const tokens = reply.usage === null ? '' : `, after ${reply.usage.completionTokens}`;
    return errorMove('schema', `${message}; the answer was cut at the cap of its tokens${tokens}`);
  }
  const repair: readonly Message[] = [
    { role: 'assistant', parts: reply.parts },
    textMessage('user', `That answer cannot be used: ${reason}. Send the corrected output and nothing else.`),
  ];
  return ask(backend, { attempt: attempt + 1, messages: [...messages, ...repair] });
}

function ask(backend: string, state: State): Move {
  const { attempt, messages } = state;
  const request = { port: 'model', backend, messages, maxTokens: MAX_TOKENS, repair: attempt > 0 } as const;
  return { kind: 'ask', request, state: toState(state) };
}

function unknownBackend(backend: string, backends: readonly string[]): string {
  const names = backends.length === 0 ? '<none>' : [...backends].sort().join(', ');
  return `backend \`${backend}\` is not configured on this runtime; known backends: ${names}`;
}
