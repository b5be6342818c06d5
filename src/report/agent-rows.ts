import type { AgentAnswer, AgentCall, AgentRun } from '../types/agent.ts';
import type { Json } from '../types/json.ts';
import { formatCount, formatDuration, plural } from './format-number.ts';
import type { TraceRow } from './trace-rows.ts';

/** What an agent was asked and gave, row by row, for the value of a trial that asked one; null: it is another value. */
export function agentRows(value: Json | undefined): readonly TraceRow[] | null {
  return isAgentRun(value) ? (value as unknown as AgentRun).answers.flatMap(answerRows) : null;
}

/** What a trial that asked an agent came to; null: it asked none. */
export function agentFacts(value: Json): readonly string[] | null {
  if (!isAgentRun(value)) return null;
  const { answers } = value as unknown as AgentRun;
  const seen = answers.flatMap(({ calls }) => (calls === null ? [] : [calls.length]));
  const answered = answers.filter(({ error }) => error === null).length;
  const calls =
    seen.length === 0
      ? []
      : [
          `${plural(
            seen.reduce((sum, count) => sum + count, 0),
            'call',
          )} seen`,
        ];
  return [`${formatCount(answered)} of ${plural(answers.length, 'prompt')}`, ...calls];
}

/** True: the request asks the agent of a contract. */
export function asksAgent(port: string, request: Json): boolean {
  return (
    port === 'host' && typeof request === 'object' && request !== null && 'name' in request && request.name === 'agent'
  );
}

function isAgentRun(value: Json | undefined): boolean {
  if (typeof value !== 'object' || value === null || !('answers' in value) || !('fired' in value)) return false;
  const { answers } = value;
  return Array.isArray(answers) && answers.every(isAnswer);
}

function isAnswer(value: Json): boolean {
  return typeof value === 'object' && value !== null && 'prompt' in value && 'asked' in value && 'struckBy' in value;
}

function answerRows(answer: AgentAnswer): readonly TraceRow[] {
  const { prompt, sent, asked, struckBy, text, error, latencyMs, tokens, calls } = answer;
  const used = tokens === null ? '' : `, ${formatCount(tokens)} tokens`;
  return [
    row('asks', quoted(prompt)),
    ...(sent === null ? [] : [row('sends', quoted(sent))]),
    ...(struckBy.length === 0 ? [] : [row('struck', struckBy.join(', '), 'warn')]),
    ...(calls === null ? [row('calls', 'out of sight')] : callRows(calls)),
    ...(asked ? [] : [row('asked', 'never: a fault came before it', 'warn')]),
    error === null ? row('gets', quoted(text)) : row('gets', `no answer: ${error}`, 'bad'),
    row('took', `${formatDuration(latencyMs)}${used}`),
  ];
}

function callRows(calls: readonly AgentCall[]): readonly TraceRow[] {
  if (calls.length === 0) return [row('calls', 'nothing')];
  return calls.map(({ port, names, struckBy }) => {
    const by = struckBy.length === 0 ? '' : `, struck by ${struckBy.join(', ')}`;
    return row('calls', `${port} ${names.join(' or ')}${by}`, struckBy.length === 0 ? undefined : 'warn');
  });
}

function row(label: string, text: string, role?: 'bad' | 'warn'): TraceRow {
  return { kind: 'row', label, text, ...(role !== undefined && { role }) };
}

/** An empty text is seen as one. */
function quoted(text: string): string {
  return text === '' ? '""' : text;
}
