import type { CompiledChaos } from '../../faults/chaos/compile-chaos.ts';
import { declaredStrikes } from '../../faults/chaos/declared-strikes.ts';
import type { AgentAnswer, AgentRun } from '../../types/agent.ts';
import { FAULT_KINDS, KIND_BITS } from '../../types/chaos.ts';
import type { Call, LedgerLine, TrialRecord, Turn } from '../../types/record.ts';
import type { CounterName } from '../../types/trial.ts';
import { answerTurn, COMPLETED, newCall, newRecord, promptTurn } from '../../values/blank-record.ts';

/** The record of a trial that asked an agent each prompt of a list, whole; `chaos` null: none is declared. */
export function recordAgent(trial: number, { answers, fired }: AgentRun, chaos: CompiledChaos | null): TrialRecord {
  const calls = answers.flatMap((answer, at) => callsOf(answer, 2 * at + 1));
  return newRecord({
    trial,
    ending: COMPLETED,
    turns: answers.flatMap(turnsOf),
    calls: answers.some((answer) => answer.calls !== null) ? calls : null,
    ledger: calls.map(lineOf),
    struck: chaos === null ? null : declaredStrikes(chaos, fired),
    counters: countersOf(answers, calls),
  });
}

/** A prompt and its answer. */
function turnsOf(answer: AgentAnswer): readonly Turn[] {
  const { prompt, sent, text, error, asked, struck, struckBy, calls, latencyMs, baseline, tokens } = answer;
  const { promptTokens, completionTokens } = answer;
  return [
    promptTurn(sent ?? prompt, sent === null ? null : prompt),
    answerTurn(text, {
      problem: error,
      asked,
      struck: FAULT_KINDS.filter((kind) => (struck & KIND_BITS[kind]) !== 0),
      struckBy,
      showsCalls: calls !== null,
      latencyMs,
      tokens,
      usage: { promptTokens, completionTokens, cachedTokens: null, cacheWriteTokens: null, reasoningTokens: null },
      reference: baseline,
    }),
  ];
}

function callsOf({ calls }: AgentAnswer, turn: number): readonly Call[] {
  return (calls ?? []).map(({ port, names, struckBy }) => newCall({ port, names, turn, struckBy }));
}

/** What its models took is known of an answer as a whole only, and stands there. */
function lineOf({ port, names }: Call): LedgerLine {
  const kind = port === 'model' ? 'model' : 'tool';
  return { kind, name: names[0] ?? port, attempt: 1, units: 1, usage: null, nanoUsd: null };
}

/** What was seen of it; what nobody saw is not counted. */
function countersOf(answers: readonly AgentAnswer[], calls: readonly Call[]): TrialRecord['counters'] {
  const sum = (name: CounterName, of: (answer: AgentAnswer) => number | null): TrialRecord['counters'] => {
    // An answer that never came tells nothing, and is not waited for.
    const isUntold = answers.some((answer) => answer.error === null && answer.asked && of(answer) === null);
    return isUntold ? {} : { [name]: answers.reduce((total, answer) => total + (of(answer) ?? 0), 0) };
  };
  return {
    llmCalls: calls.filter(({ port }) => port === 'model').length,
    toolCalls: calls.filter(({ port }) => port === 'tool').length,
    ...sum('llmTokens', ({ tokens }) => tokens),
    ...sum('promptTokens', ({ promptTokens }) => promptTokens),
    ...sum('completionTokens', ({ completionTokens }) => completionTokens),
  };
}
