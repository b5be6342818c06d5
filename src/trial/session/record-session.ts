import { costOf } from '../../intelligence/live/model-cost.ts';
import type { DialogueCall, DialogueEvent } from '../../sessions/agent-moves.ts';
import type { EndedDialogue } from '../../sessions/dialogue.ts';
import { divergenceText, firstDivergence } from '../../checks/first-divergence.ts';
import { comparedCalls, messagesOf } from '../../checks/gold-check.ts';
import { EXACT_ARGUMENTS, type TrajectoryCall } from '../../checks/match-trajectory.ts';
import type { ReachedGoals } from '../../sessions/watch-goals.ts';
import type { PlayedUser } from '../../sessions/user/user-in-session.ts';
import type { MessagePart } from '../../types/message.ts';
import type { ModelPrice } from '../../types/model-endpoint.ts';
import type { TrajectoryTerms } from '../../types/recordings/gold-expectation.ts';
import { countWork } from '../../values/work.ts';
import type { AnswerFacts, Call, Ending, LedgerLine, TrialRecord, Turn } from '../../types/record.ts';
import type { GoalProgress, OddAnswers, SessionFacts, SessionGoal, SessionSubject } from '../../types/session.ts';
import { modelLine, tokenCounts, usagesIn } from './answer-usage.ts';
import { attackedEnding, attackFacts } from './attack-facts.ts';
import { answerTurn, COMPLETED, newRecord, promptTurn } from '../../values/blank-record.ts';

/**
 * The record of a session that has ended: what was said, what was called, and what became of the world. `wanted`: its gold calls
 * as they are compared. `userPrice`: of the model that plays the user; null: nobody says.
 */
export function recordSession(
  trial: number,
  dialogue: EndedDialogue,
  { world, gold, goldTerms = EVERY_GOLD_CALL, limits, goals = [], mutation, crossed }: SessionSubject,
  { wanted, userPrice }: { readonly wanted: readonly TrajectoryCall[] | null; readonly userPrice: ModelPrice | null },
): TrialRecord {
  const { events, state, end, reached, struck, user, assertions } = dialogue;
  const { calls, validCalls, turnOf } = callsIn(events);
  const usages = usagesIn(events);
  const turns = turnsIn(events);
  const divergence = wanted && divergenceOf({ calls, turns }, wanted, goldTerms);
  const attack = crossed?.attack && attackFacts(crossed.attack, events, calls);
  const tokens = tokenCounts(usages);
  const ending = endingOf(dialogue, limits, tokens?.llmTokens ?? 0);
  return newRecord({
    trial,
    turns,
    ending: attack === undefined ? ending : attackedEnding(ending, attack),
    calls,
    struck,
    ledger: [
      ...usages.filter(({ usage, modelCalls }) => usage !== null || modelCalls > 0).map(modelLine),
      // What policy denied was never made, and costs nothing.
      ...calls.filter(({ denied }) => !denied).map(lineOf),
      ...(user === undefined ? [] : userLines(user, userPrice)),
    ],
    world: { files: null, state: { before: world.state, after: state } },
    counters: { toolCalls: calls.length, ...denialCount(calls), ...retryCount(assertions), ...tokens },
    session: {
      end,
      tools: world.tools.map(({ name }) => name),
      validCalls,
      ...oddAnswers(events),
      gold,
      ...(divergence !== null && { divergence }),
      ...(reached !== null && { progress: progressOf(goals, reached, turnOf) }),
      ...(user !== undefined && { user: user.facts }),
      ...(assertions !== undefined && { assertions }),
      ...(mutation !== undefined && { mutated: mutatedMessages(events) }),
      ...(attack !== undefined && { attack }),
    },
  });
}

const EVERY_GOLD_CALL: TrajectoryTerms = { ...EXACT_ARGUMENTS, match: 'superset' };

function divergenceOf(
  { calls, turns }: { readonly calls: readonly Call[]; readonly turns: readonly Turn[] },
  gold: readonly TrajectoryCall[],
  terms: TrajectoryTerms,
): NonNullable<SessionFacts['divergence']> | null {
  countWork(calls.length * gold.length);
  const compared = comparedCalls(calls) ?? [];
  const made = compared.map(({ names, args }) => ({ name: names[0] ?? '', args }));
  const found = firstDivergence(made, gold, terms);
  return found && { ...found, text: divergenceText(found, made, gold, messagesOf(turns, compared)) };
}

/** How many answers that the user heard had no word, were cut at their length, or were withheld. {}: none. */
function oddAnswers(events: readonly DialogueEvent[]): Pick<SessionFacts, OddAnswers> {
  let [emptyAnswers, cutAnswers, filteredAnswers] = [0, 0, 0];
  for (const event of events) {
    if (event.kind !== 'agent') continue;
    if (event.text.trim() === '') emptyAnswers++;
    if (event.finish === 'length') cutAnswers++;
    else if (event.finish === 'filtered') filteredAnswers++;
  }
  return {
    ...(emptyAnswers > 0 && { emptyAnswers }),
    ...(cutAnswers > 0 && { cutAnswers }),
    ...(filteredAnswers > 0 && { filteredAnswers }),
  };
}

function mutatedMessages(events: readonly DialogueEvent[]): number {
  return events.filter((event) => event.kind === 'user' && event.meant !== undefined).length;
}

interface CallsOfSession {
  readonly calls: readonly Call[];
  readonly validCalls: number;
  /** Of each event the position of its last turn. */
  readonly turnOf: readonly number[];
}

function callsIn(events: readonly DialogueEvent[]): CallsOfSession {
  const calls: Call[] = [];
  const turnOf: number[] = [];
  let turns = 0;
  let validCalls = 0;
  for (const event of events) {
    if (event.kind === 'calls') {
      for (const call of event.calls) {
        calls.push(callOf(call, turns));
        if (call.isValid) validCalls++;
      }
      // What was asked, and what came of it.
      turns++;
    }
    turnOf.push(turns);
    turns++;
  }
  return { calls, validCalls, turnOf };
}

function turnsIn(events: readonly DialogueEvent[]): readonly Turn[] {
  const turns: Turn[] = [];
  let calls = 0;
  /** Since the last answer. */
  let struckBy: string[] = [];
  for (const event of events) {
    if (event.kind === 'user') turns.push(promptTurn(event.text, event.meant ?? null));
    else if (event.kind === 'feedback') turns.push({ ...promptTurn(event.text), role: 'system' });
    else if (event.kind === 'draft') turns.push(draftTurn(event));
    else if (event.kind === 'agent') {
      turns.push(answerTurn(event.text, { showsCalls: true, ...factsOf(event), ...struckFacts(struckBy) }));
      struckBy = [];
    } else {
      turns.push(callTurn(event.calls, calls), resultTurn(event.calls, calls));
      calls += event.calls.length;
      for (const call of event.calls) if (call.struckBy !== undefined) struckBy.push(call.struckBy);
    }
  }
  return turns;
}

/** Thought, and not said: the user never heard it. */
function draftTurn(event: Draft): Turn {
  const draft = answerTurn('', { showsCalls: true, ...factsOf(event) });
  return { ...draft, parts: event.text === '' ? [] : [{ kind: 'reasoning', text: event.text }] };
}

function progressOf(
  goals: readonly SessionGoal[],
  { reachedAt, most }: ReachedGoals,
  turnOf: readonly number[],
): GoalProgress {
  return {
    goals: goals.map(({ name }, at) => {
      const event = reachedAt[at] ?? null;
      // A call on which the session ended may have no turn of its own.
      return { name, turn: event === null ? null : (turnOf[event] ?? Math.max(0, turnOf.length - 1)) };
    }),
    most,
  };
}

/** An answer is struck by what struck the calls on the way to it. */
function struckFacts(struckBy: readonly string[]): Partial<AnswerFacts> {
  return struckBy.length === 0 ? {} : { struck: ['tool'], struckBy: [...new Set(struckBy)] };
}

type Said = Extract<DialogueEvent, { readonly kind: 'agent' }>;
type Draft = Extract<DialogueEvent, { readonly kind: 'draft' }>;

function factsOf({ usage, ...said }: Said | Draft): Partial<AnswerFacts> {
  const { model = null, finish = null }: Partial<Pick<AnswerFacts, 'model' | 'finish'>> = said;
  if (usage === undefined) return { model, finish };
  const { promptTokens, completionTokens } = usage;
  return {
    model,
    finish,
    tokens: promptTokens + completionTokens,
    usage: { promptTokens, completionTokens, cachedTokens: null, cacheWriteTokens: null, reasoningTokens: null },
  };
}

/** What it takes to try the agent is no cost of the agent. */
function userLines({ facts, usages }: PlayedUser, price: ModelPrice | null): readonly LedgerLine[] {
  return usages.map((usage) => ({
    kind: 'user',
    name: facts.model,
    attempt: 1,
    units: 1,
    usage,
    nanoUsd: usage === null || price === null ? null : costOf(usage, price),
  }));
}

function callOf({ name, args, result, problem, struckBy, isDenied }: DialogueCall, turn: number): Call {
  return {
    port: 'tool',
    names: [name],
    by: '',
    turn,
    args,
    result,
    problem,
    denied: isDenied === true,
    struckBy: struckBy === undefined ? [] : [struckBy],
  };
}

/** How often the agent was told that an assertion does not hold; {}: never. */
function retryCount(assertions: EndedDialogue['assertions'] = []): { readonly retries?: number } {
  const retries = assertions.reduce((sum, one) => sum + one.retries, 0);
  return retries === 0 ? {} : { retries };
}

function denialCount(calls: readonly Call[]): { readonly policyDenials?: number } {
  const policyDenials = calls.filter(({ denied }) => denied).length;
  return policyDenials === 0 ? {} : { policyDenials };
}

/** What the agent asked for; `first`: calls before these. */
function callTurn(calls: readonly DialogueCall[], first: number): Turn {
  const parts = calls.map(
    ({ name, args }, at): MessagePart => ({ kind: 'tool_call', id: idOf(first + at), name, args }),
  );
  return { ...answerTurn('', { showsCalls: true }), parts };
}

function resultTurn(calls: readonly DialogueCall[], first: number): Turn {
  const parts = calls.map(
    ({ name, result, problem }, at): MessagePart => ({
      kind: 'tool_result',
      id: idOf(first + at),
      name,
      result: problem ?? result,
      ...(problem !== null && { isError: true as const }),
    }),
  );
  return { role: 'tool', parts, intended: null, answer: null };
}

function idOf(call: number): string {
  return `call-${call + 1}`;
}

function lineOf({ names }: Call): LedgerLine {
  return { kind: 'tool', name: names[0] ?? '', attempt: 1, units: 1, usage: null, nanoUsd: null };
}

/** `spent`: tokens that the agent told. */
function endingOf(dialogue: EndedDialogue, limits: SessionSubject['limits'], spent: number): Ending {
  const { end, problem } = dialogue;
  switch (end) {
    case 'user_done':
      return COMPLETED;
    case 'user_gave_up':
      return { ...COMPLETED, reason: 'The user gave up.' };
    case 'user_failed':
      return {
        status: 'broken',
        reason: `The user broke its rules (${dialogue.user?.facts.broke ?? ''}): ${problem ?? ''}`,
      };
    case 'assertion_failed':
      return { status: 'failed', stoppedBy: 'fail', reason: problem, category: null };
    case 'message_limit':
      return stopped(`The user had said ${limits.messages} things, and the agent was not done.`);
    case 'call_limit':
      return stopped(`The agent had made ${limits.calls} calls, and wanted more.`);
    case 'token_limit':
      return stopped(`The agent had spent ${spent} tokens, and may spend ${limits.tokens ?? 0}.`);
    case 'timeout':
      return { status: 'timed_out', stoppedBy: 'timeout', reason: problem, category: null };
    case 'agent_stopped':
      return { status: 'errored', stoppedBy: 'error', reason: problem, category: null };
  }
}

function stopped(reason: string): Ending {
  return { status: 'failed', stoppedBy: 'step_limit', reason, category: null };
}
