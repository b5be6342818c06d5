import type { AgentFacts } from '../types/contract.ts';
import type { Issue } from '../types/issue.ts';
import { showText } from '../checks/show-value.ts';
import type { Trace } from './agent-controls.ts';
import type { AgentClient } from './agent-client.ts';

/** What an empty answer makes of checks. */
export const EMPTY_HINT = 'A check that something is absent passes with them: say what must be there, too.';

/** Where processes were ended before their first answer. */
const LATE_HINT =
  'It was ended in its first call, which had no answer in time. What that loads is part of its time: load it where the module begins, or allow more time.';

export interface AgentNotices {
  /** By contract; only those of which there is something to know. */
  readonly facts: Readonly<Record<string, AgentFacts>>;
  readonly issues: readonly Issue[];
}

/** What must be known of the answers of agents; `clients` by the name of the contract that binds each. */
export function agentNotices(clients: ReadonlyMap<string, AgentClient>): AgentNotices {
  const facts: Record<string, AgentFacts> = {};
  const issues: Issue[] = [];
  for (const [contract, client] of clients) {
    const contaminated = client.contaminated(contract);
    if (contaminated.length > 0) facts[contract] = { contaminated };
    issues.push(...noticesOf(contract, client, contaminated));
  }
  return { facts, issues };
}

function noticesOf(contract: string, client: AgentClient, columns: readonly string[]): Issue[] {
  const { reach, controls } = client;
  const { gone, answered, empty } = reach;
  const state = controls?.state ?? null;
  const who = `Contract "${contract}"`;
  const say = (code: string, message: string, hint: string): Issue => ({
    code,
    severity: 'warning',
    message: `${who}: ${message}`,
    hint,
  });
  const issues: Issue[] = [];
  if (columns.length > 0 && state?.kind !== 'same' && state?.kind !== 'varies') {
    const why =
      state?.kind === 'remembers'
        ? `it remembers earlier calls: ${state.why}`
        : 'it may remember earlier calls: the same prompt had different answers';
    issues.push(
      controls?.hasReset === true
        ? say('agent_reset', `its reset is confirmed, but ${why}. ${whatRan(columns)}`, 'Mend its reset.')
        : say(
            'agent_state',
            `nothing brings its agent back between columns, and ${why}. ${whatRan(columns)}`,
            'Give the agent a reset_endpoint or a reset_function.',
          ),
    );
  }
  for (const trace of controls?.traces ?? []) {
    if (trace.contract !== contract || gone !== null) continue;
    const hasReset = controls?.hasReset === true;
    issues.push(
      say(
        'agent_left_state',
        `${traceText(trace, hasReset)} ${whatRan(columns)}`.trim(),
        hasReset ? 'Mend its reset.' : 'Give the agent a reset_endpoint or a reset_function.',
      ),
    );
  }
  if (empty > 0) {
    issues.push(say('agent_empty', `${empty} of ${answered} answers of its agent were empty.`, EMPTY_HINT));
  }
  return [...connectionIssues(client, { who, table: 'agent' }), ...issues];
}

/** What is to be known of the ways to an agent, whatever it is asked for. `table`: that of the file which binds it. */
export function connectionIssues(
  { reach, restarts, wasLateAtFirst }: Pick<AgentClient, 'reach' | 'restarts' | 'wasLateAtFirst'>,
  { who, table }: { readonly who: string; readonly table: string },
): readonly Issue[] {
  const { gone, answered, retried, astray, unreadable, pages, unknownStreams } = reach;
  const issues: Issue[] = [];
  const warn = (code: string, message: string, hint?: string): void => {
    issues.push({ code, severity: 'warning', message: `${who}: ${message}`, ...(hint !== undefined && { hint }) });
  };
  if (gone !== null) warn('agent_unreached', `nobody is there to answer: ${gone}.`, 'Start the agent before the run.');
  if (retried > 0) {
    const of = `${retried} of ${answered} answers of its agent came only when it was asked again`;
    warn(
      'agent_retried',
      `${of}: nothing had come the first time.`,
      `With retries = 0 in [${table}] this is no answer.`,
    );
  }
  if (astray > 0) {
    const of = `${astray} of ${answered} answers of its agent had nothing where response_path leads`;
    warn(
      'agent_astray',
      `${of}: what was found without it was judged in its place.`,
      `Mend response_path in [${table}], or leave it away.`,
    );
  }
  if (unreadable > 0) {
    warn(
      'agent_unreadable',
      `${unreadable} of ${answered} answers of its agent said to be JSON and were none: they were judged as they stand.`,
      'Mend what it answers, or its content-type.',
    );
  }
  if (pages > 0) {
    warn(
      'agent_page',
      `${pages} of ${answered} answers of its agent were HTML pages: they were judged as they stand.`,
      'A login page, or that of a proxy, may have come in its place: check the endpoint and its headers.',
    );
  }
  if (unknownStreams > 0) {
    warn(
      'agent_stream',
      `${unknownStreams} of ${answered} answers of its agent were streams in which no text was found: they were judged as they stand.`,
      `Name where an event has it with response_path in [${table}]. Without it passk reads those of OpenAI, Anthropic, Gemini, Ollama and the AI SDK, and delta, content, text, token, output, answer or response.`,
    );
  }
  if (restarts > 0) {
    const times = restarts === 1 ? 'once' : `${restarts} times`;
    warn(
      'agent_restarted',
      `the process of its agent ended and was started anew ${times}, without what it remembered.`,
      wasLateAtFirst ? LATE_HINT : undefined,
    );
  }
  return issues;
}

function whatRan(columns: readonly string[]): string {
  const named = columns.map((column) => `"${column}"`).join(', ');
  return named === '' ? '' : `What ran before may have changed the answers in ${named}.`;
}

/** Said by a clean question, which nothing strikes. */
function traceText({ column, prompt, answer }: Trace, hasReset: boolean): string {
  const got = answer === null ? 'had no answer' : `was answered ${showText(answer)}, which it never was before`;
  const reset = hasReset ? ', and its reset did not take that back' : '';
  return `column "${column}" left something in its agent${reset}: afterwards ${showText(prompt)} without chaos ${got}.`;
}
