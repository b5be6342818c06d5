import { KIND_BITS } from '../../types/chaos.ts';
import type { Turn } from '../../types/record.ts';
import { type AnsweredTurn, answeredTurns } from '../../values/answered-turns.ts';
import type { TrialView } from '../check.ts';
import { showText } from '../show-value.ts';
import type { JudgedAnswer } from './rule.ts';

/**
 * What a subject gave at each of its turns, in order, each with the last prompt before it. Never empty: where there is no
 * answer at all, one entry says so.
 */
export function turnAnswers(view: TrialView, turns: readonly Turn[]): readonly JudgedAnswer[] {
  const answers = answeredTurns(turns).map((turn) =>
    turnAnswer(turn, {
      calls: callsFor(view, turn.at),
      denials: denialsFor(view, turn.at),
      trial: view,
    }),
  );
  return answers.length === 0 ? [nothing(view)] : answers;
}

function turnAnswer(
  { prompt, text, answer }: AnsweredTurn,
  { calls, denials, trial }: Pick<JudgedAnswer, 'calls' | 'denials' | 'trial'>,
): JudgedAnswer {
  const { problem, asked, struck, latencyMs, tokens, usage, showsCalls, reference } = answer;
  return {
    prompt,
    isAsked: asked,
    struck: struck.reduce((kinds, kind) => kinds | KIND_BITS[kind], 0),
    text,
    problem,
    latencyMs,
    tokens,
    promptTokens: usage?.promptTokens ?? null,
    completionTokens: usage?.completionTokens ?? null,
    calls: showsCalls ? calls : null,
    denials,
    // No ending of ours is around it.
    stoppedBy: null,
    baseline: reference,
    trial,
  };
}

/** Names of the tools that were called for the answer of that turn. */
function callsFor(view: TrialView, turn: number): readonly (readonly string[])[] {
  return (view.calls() ?? []).flatMap((call) =>
    call.turn === turn && call.port === 'tool' && !call.denied ? [call.names] : [],
  );
}

/** What policy denied on the way to the answer of that turn. Around other subjects than sessions there is none. */
function denialsFor(view: TrialView, turn: number): JudgedAnswer['denials'] {
  if (view.record?.().session === undefined) return null;
  return (view.calls() ?? []).flatMap(({ denied, problem, by, ...call }) =>
    denied && call.turn === turn ? [{ node: by, message: problem ?? '' }] : [],
  );
}

function nothing(view: TrialView): JudgedAnswer {
  const { status, reason, struck } = view;
  const ending = `the run ended as ${status}`;
  return {
    prompt: null,
    isAsked: true,
    struck,
    text: null,
    problem: reason === null ? `${ending} without an answer` : `${ending}: ${showText(reason)}`,
    latencyMs: null,
    tokens: null,
    promptTokens: null,
    completionTokens: null,
    calls: null,
    denials: null,
    stoppedBy: null,
    baseline: null,
    trial: view,
  };
}
