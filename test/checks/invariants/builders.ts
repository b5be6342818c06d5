import type { SentRequest } from '../../../src/checks/check.ts';
import type { CheckInfo } from '../../../src/checks/compile-checks.ts';
import { RULING } from '../../../src/checks/ruling.ts';
import type { AnswerCheck } from '../../../src/plugin/trial-check.ts';
import { codeKey } from '../../../src/types/scenarios/judging-code.ts';
import type { AgentAnswer } from '../../../src/types/agent.ts';
import type { Invariant, InvariantRule } from '../../../src/types/invariant.ts';
import { aView, checksOf, type ViewParts } from '../builders.ts';
import { recordAgent } from '../../../src/trial/agent/record-agent.ts';

/** Functions of the user that rules may name. */
const isShort: AnswerCheck = ({ text }) => text.length < 5 || `${text.length} characters`;
const CODE: ReadonlyMap<string, unknown> = new Map([
  ['isShort rules.mjs', isShort],
  [codeKey({ plugin: 'shorter', settings: { than: 4 } }), isShort],
]);

/** An invariant that is always judged, with the id `rule`. */
export function anInvariant(rule: InvariantRule, parts: Partial<Invariant> = {}): Invariant {
  return { id: 'rule', severity: 'medium', when: 'always', negate: false, probes: [], rule, ...parts };
}

/** Whether a rule and its negation are obeyed in the same trial; null: nobody can tell. */
export type Obeyed = readonly [plain: boolean | null, negated: boolean | null];

/** The same for a trial of a workflow. */
export function onOutcome(rule: InvariantRule, view: ViewParts): Obeyed {
  return onSubject(rule, view);
}

/** The same for the answers of an agent. */
export function onAgent(rule: InvariantRule, ...answers: readonly Partial<AgentAnswer>[]): Obeyed {
  return onSubject(rule, anAgentRun(...answers), { answersInTurns: true });
}

/** What checks see of an agent's answers. */
export function anAgentRun(...answers: readonly Partial<AgentAnswer>[]): ViewParts {
  const { turns, calls } = recordAgent(0, { answers: answers.map(anAnswer), fired: [] }, null);
  return { turns, calls };
}

export function anAnswer(parts: Partial<AgentAnswer>): AgentAnswer {
  return {
    prompt: 'What is it?',
    asked: true,
    struck: 0,
    text: 'A thing.',
    error: null,
    latencyMs: 5,
    tokens: null,
    promptTokens: null,
    completionTokens: null,
    calls: null,
    sent: null,
    struckBy: [],
    baseline: null,
    ...parts,
  };
}

/** What the check of a rule says about a trial. */
export function messageFor(rule: InvariantRule, view: ViewParts, parts: Partial<Invariant> = {}): string | undefined {
  const [check] = checksOf({ invariants: { list: [anInvariant(rule, parts)] } }, { code: CODE });
  return check?.explain(aView(view)).message;
}

export const SENT: readonly SentRequest[] = [
  {
    node: 'fetch_prices',
    request: { port: 'http', method: 'GET', url: 'https://api.prices.example:8443/v1', headers: {}, body: null },
  },
  { node: 'convert', request: { port: 'process', command: '/usr/bin/bc', args: [], timeoutMs: 1000 } },
  {
    node: 'look_up',
    request: { port: 'mcp', op: 'tool', server: null, target: 'web_search', args: {} },
  },
];

function onSubject(rule: InvariantRule, view: ViewParts, info: Partial<CheckInfo> = {}): Obeyed {
  const list = [anInvariant(rule), anInvariant(rule, { id: 'negated', negate: true })];
  const [plain, negated] = checksOf({ invariants: { list } }, { code: CODE, ...info }).map((check) => {
    if (((check.ruling?.(aView(view)) ?? 0) & (RULING.undecided | RULING.unasked)) !== 0) return null;
    return check.holds(aView(view));
  });
  return [plain ?? null, negated ?? null];
}
