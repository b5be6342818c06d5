import type { SubjectCall, SubjectTrial, SubjectTurn } from '../../plugin/subject-type.ts';
import { COUNTERS } from '../../types/trial.ts';
import type { Call, TrialRecord, Turn } from '../../types/record.ts';
import { isCount } from '../../values/is-count.ts';
import { isRecord } from '../../values/is-json.ts';
import { answerTurn, COMPLETED, newCall, newRecord, promptTurn } from '../../values/blank-record.ts';

/** The record of a trial as a plug-in tells it. Throws where that is no trial, which breaks it. */
export function recordSubject(trial: number, subjectTrial: SubjectTrial): TrialRecord {
  requireShape(subjectTrial);
  const { turns, calls = null, counters = {} } = subjectTrial;
  const answers = turns.flatMap(({ role }, at) => (role === 'assistant' ? [at] : []));
  return newRecord({
    trial,
    ending: COMPLETED,
    turns: turns.map((turn) => turnOf(turn, calls !== null)),
    calls: calls === null ? null : calls.map((call) => callOf(call, answers.at(-1) ?? 0)),
    counters: { ...sumTokens(turns), ...counters },
  });
}

/** {}: an answer does not tell what it took. */
function sumTokens(turns: readonly SubjectTurn[]): TrialRecord['counters'] {
  const answers = turns.filter(({ role, problem }) => role === 'assistant' && problem === undefined);
  if (answers.some(({ tokens }) => tokens === undefined)) return {};
  return { llmTokens: turns.reduce((sum, { tokens = 0 }) => sum + tokens, 0) };
}

function turnOf({ role, text, problem, latencyMs, tokens }: SubjectTurn, showsCalls: boolean): Turn {
  if (role === 'user') return promptTurn(text);
  return answerTurn(text, {
    problem: problem ?? null,
    showsCalls,
    latencyMs: latencyMs ?? null,
    tokens: tokens ?? null,
  });
}

function callOf({ name, args, result, problem }: SubjectCall, turn: number): Call {
  return newCall({
    port: 'tool',
    names: [name],
    turn,
    args: args ?? null,
    result: result ?? null,
    problem: problem ?? null,
  });
}

/** Plug-ins are not typed when they run. */
function requireShape(subjectTrial: unknown): asserts subjectTrial is SubjectTrial {
  const wrong = (what: string): TypeError => new TypeError(`The subject gave no trial: ${what}.`);
  if (!isRecord(subjectTrial)) throw wrong('it is no object');
  const { turns, calls = null, counters = {} } = subjectTrial;
  if (!Array.isArray(turns)) throw wrong('`turns` is no list');
  for (const turn of turns) {
    if (!isRecord(turn) || (turn['role'] !== 'user' && turn['role'] !== 'assistant')) {
      throw wrong('a turn has no `role` of "user" or "assistant"');
    }
    if (typeof turn['text'] !== 'string') throw wrong('a turn has no `text`');
    if (!isOptional(turn['problem'], 'string')) throw wrong('the `problem` of a turn is no text');
    if (!isAmount(turn['latencyMs'])) throw wrong('the `latencyMs` of a turn is no number from 0');
    if (!isCount(turn['tokens'] ?? 0)) throw wrong('the `tokens` of a turn are no whole number from 0');
  }
  if (
    calls !== null &&
    !(Array.isArray(calls) && calls.every((call) => isRecord(call) && typeof call['name'] === 'string'))
  ) {
    throw wrong('`calls` is no list of calls with a `name`');
  }
  if (!isRecord(counters)) throw wrong('`counters` is no object');
  for (const [name, count] of Object.entries(counters)) {
    if (!(COUNTERS as readonly string[]).includes(name)) throw wrong(`there is no counter "${name}"`);
    if (!isCount(count)) throw wrong(`\`${name}\` is no whole number from 0`);
  }
}

function isOptional(value: unknown, type: string): boolean {
  return value === undefined || typeof value === type;
}

function isAmount(value: unknown): boolean {
  return value === undefined || (typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY);
}
