import {
  type ImportedCost,
  ImportError,
  type ImportedMessage,
  type ImportedRun,
  type ImportedScore,
} from '../../plugin/importer-type.ts';
import type { Json, JsonObject } from '../../types/json.ts';
import { countAt, fieldAt, listAt, numberAt, textAt } from '../../values/json-fields.ts';
import { isRecord } from '../../values/is-json.ts';
import { chatMessages } from '../chat-messages.ts';
import { providerUsage } from '../messages/token-usage.ts';
import { readObject } from '../read-record.ts';
import { sumOfUsage } from '../sum-usage.ts';
import { tickMessages } from './tick-messages.ts';

/** A reward this close to 1 is a success, as in τ²-bench. */
const CLOSE = 1e-6;

/** Endings that say nothing about the agent. τ²-bench gives the last two no reward of their own either. */
const ERRORS: Readonly<Record<string, string>> = {
  infrastructure_error: 'The infrastructure failed',
  unexpected_error: 'The harness failed',
  user_error: 'The simulated user failed',
  context_window_exceeded: 'A conversation outgrew the context window, which τ²-bench leaves out',
};

const ENDINGS: Readonly<Record<string, NonNullable<ImportedRun['ending']>>> = {
  max_steps: { status: 'failed', reason: 'It reached the limit of steps.' },
  timeout: { status: 'timed_out', reason: 'It reached the limit of time.' },
  too_many_errors: { status: 'failed', reason: 'Too many of its calls of tools failed.' },
  agent_error: { status: 'failed', reason: 'The agent gave no valid message.' },
};

/** A simulation of an experiment. Throws an `ImportError` for any other JSON. */
export function readSimulation(piece: Uint8Array | undefined, experiment: unknown): ImportedRun {
  const run = readObject(piece);
  const task = fieldAt(run, 'task_id');
  if (typeof task !== 'number' && (typeof task !== 'string' || task === ''))
    throw new ImportError('It has no "task_id".');
  const reason = textAt(run, 'termination_reason') ?? '';
  const error = errorOf(run, reason);
  const scores = error === null ? scoresOf(fieldAt(run, 'reward_info')) : [];
  const id = textAt(run, 'id');
  const trial = countAt(run, 'trial');
  const gold = goldOf(experiment, String(task));
  const seconds = numberAt(run, 'duration');
  const agent = textAt(experiment, 'agent');
  const source = messagesIn(run);
  const messages = readMessages(run, source, agent);
  const { costs, unsaid } = costsOf(run, experiment, source);
  const isOver = reason !== 'infrastructure_error' && seconds !== null && seconds >= 0;
  return {
    task: String(task),
    ...(trial !== null && { attempt: trial }),
    ...(id !== null && { id }),
    scores,
    ...(error !== null && { error }),
    ...(error === null &&
      Object.hasOwn(ENDINGS, reason) && { ending: ENDINGS[reason] as NonNullable<ImportedRun['ending']> }),
    ...(messages.length > 0 && { messages }),
    ...(costs.length > 0 && { costs }),
    ...(isOver && { durationMs: seconds * 1000 }),
    ...(gold !== null && { gold }),
    extra: extraOf(run),
    unsaid: {
      ...unsaid,
      ...(error === null &&
        scores.length === 0 && { scores: 'the simulation has no reward_info: it was not evaluated' }),
      ...(messages.length === 0 && { messages: noMessages(run) }),
      ...(gold === null && { gold: 'the results have no such task' }),
    },
  };
}

/** Why a simulation says nothing about the agent; null: it says something. */
function errorOf(run: unknown, reason: string): string | null {
  if (Object.hasOwn(ERRORS, reason)) {
    const why = [textAt(run, 'info', 'error_type'), textAt(run, 'info', 'error')].filter(Boolean).join(': ');
    return `${ERRORS[reason]}${why === '' ? '.' : `: ${why}`}`;
  }
  const crash = textAt(run, 'reward_info', 'info', 'error');
  return crash === null ? null : `Its evaluation failed: ${crash}`;
}

/** The reward, then its factors. */
function scoresOf(rewardInfo: unknown): readonly ImportedScore[] {
  const reward = fieldAt(rewardInfo, 'reward');
  if (reward === undefined || reward === null) return [];
  if (typeof reward !== 'number' || !Number.isFinite(reward)) throw new ImportError('Its "reward" is no number.');
  const note = textAt(rewardInfo, 'info', 'note');
  const parts = fieldAt(rewardInfo, 'reward_breakdown');
  return [
    {
      name: 'reward',
      value: reward,
      ...(reward > 1 + CLOSE && { passed: false }),
      ...(note !== null && { explanation: note }),
    },
    ...Object.entries(isRecord(parts) ? parts : {}).flatMap(([name, value]) =>
      typeof value === 'number' && Number.isFinite(value) ? [{ name, value }] : [],
    ),
  ];
}

function goldOf(experiment: unknown, task: string): NonNullable<ImportedRun['gold']> | null {
  const gold = fieldAt(experiment, 'gold', task);
  return Array.isArray(gold) ? (gold as NonNullable<ImportedRun['gold']>) : null;
}

/** The messages of the source. One that holds several results of tools becomes several. */
function messagesIn(run: unknown): readonly unknown[] {
  return listAt(run, 'messages').flatMap((message) => {
    const several = listAt(message, 'tool_messages');
    return several.length > 0 ? several : [message];
  });
}

function readMessages(run: unknown, messages: readonly unknown[], agent: string | null): readonly ImportedMessage[] {
  if (messages.length === 0) return tickMessages(listAt(run, 'ticks'), agent);
  return chatMessages(messages, (answer) => {
    const usage = providerUsage(fieldAt(answer, 'usage'));
    const seconds = numberAt(answer, 'generation_time_seconds');
    return {
      ...(agent !== null && isGenerated(answer) && { model: agent }),
      ...(usage !== null && { usage }),
      ...(seconds !== null && seconds >= 0 && { latencyMs: seconds * 1000 }),
    };
  });
}

function noMessages(run: unknown): string {
  const ticks = listAt(run, 'ticks').length;
  return ticks === 0
    ? 'the simulation has no messages'
    : `its ${ticks} ticks tell when somebody spoke, not what was said`;
}

/** Whether a model wrote the message: the first one of an agent is fixed. */
function isGenerated(message: unknown): boolean {
  const has = (key: string): boolean => isRecord(fieldAt(message, key));
  return has('usage') || has('raw_data') || (numberAt(message, 'cost') ?? 0) > 0;
}

interface SimulationCosts {
  readonly costs: readonly ImportedCost[];
  readonly unsaid: Readonly<Record<string, string>>;
}

/** A line for the agent and one for the simulated user, where they have tokens or a price. */
function costsOf(run: unknown, experiment: unknown, messages: readonly unknown[]): SimulationCosts {
  const agent = costOf('model', textAt(experiment, 'agent') ?? 'agent', fieldAt(run, 'agent_cost'), messages);
  const user = costOf('user', textAt(experiment, 'user') ?? 'user', fieldAt(run, 'user_cost'), messages);
  const isJudged = listAt(run, 'reward_info', 'reward_basis').includes('NL_ASSERTION');
  const reasons = [
    ...(agent?.usd === undefined ? [whyNoPrice('agent_cost', fieldAt(run, 'agent_cost'))] : []),
    ...(user?.usd === undefined ? [whyNoPrice('user_cost', fieldAt(run, 'user_cost'))] : []),
    ...(isJudged ? ['what the judge of its assertions cost is not kept'] : []),
  ];
  return {
    costs: [agent, user].filter((line) => line !== null),
    unsaid: {
      ...(reasons.length > 0 && { cost: reasons.join('; ') }),
      ...(agent?.usage === undefined && { usage: 'not all answers of the agent tell their tokens' }),
    },
  };
}

function costOf(
  kind: 'model' | 'user',
  name: string,
  price: unknown,
  messages: readonly unknown[],
): ImportedCost | null {
  const role = kind === 'model' ? 'assistant' : 'user';
  const answers = messages.filter((message) => textAt(message, 'role') === role && isGenerated(message));
  const usage = sumOfUsage(answers.map((message) => providerUsage(fieldAt(message, 'usage'))));
  const usd = typeof price === 'number' && Number.isFinite(price) && price > 0 ? price : null;
  if (usage === null && usd === null) return null;
  return {
    kind,
    name,
    ...(answers.length > 0 && { units: answers.length }),
    ...(usage !== null && { usage }),
    ...(usd !== null && { usd }),
  };
}

function whyNoPrice(field: string, price: unknown): string {
  return price === 0
    ? `${field} is 0, which τ²-bench writes for a model that it has no price for`
    : `the simulation has no ${field}`;
}

/** Fields that are long, or that the run has in other places. */
const LEFT_OUT = new Set(['id', 'task_id', 'trial', 'duration', 'messages', 'ticks', 'policy', 'effect_timeline']);

function extraOf(run: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(run).filter(([key, value]) => !LEFT_OUT.has(key) && value !== null) as [string, Json][],
  );
}
