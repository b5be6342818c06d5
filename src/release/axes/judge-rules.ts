import { PasskError } from '../../errors.ts';
import { describePlanned } from '../../gate/describe-planned.ts';
import { asksPasses, judgePasses } from '../../gate/judge-passes.ts';
import { parseGate } from '../../gate/parse-gate.ts';
import type { Gate } from '../../types/reports/gate.ts';
import type { AxisReason, EvalScenario } from '../../types/release/eval-body.ts';
import { didYouMean } from '../../text/did-you-mean.ts';
import { constantText } from '../../suite/is-constant.ts';
import type { TriedScenario } from '../evidence.ts';
import { insufficient } from './axis-result.ts';

const MOST_NAMES = 3;

/** The verdicts of rules, and what they can tell with the planned trials. */
export interface JudgedRules {
  readonly reasons: readonly AxisReason[];
  readonly tells: readonly string[];
}

/** Judges the rules of an axis. Throws `INPUT` for a text that is no gate, or a gate that is not about passes. */
export function judgeRules(rules: readonly string[], scenarios: readonly TriedScenario[]): JudgedRules {
  const reasons: AxisReason[] = [];
  const tells: string[] = [];
  for (const text of rules) {
    const gate = releaseGate(text);
    const { inScope, constant } = askedOf(gate, scenarios);
    if (inScope.length === 0 && constant.length > 0) {
      reasons.push(insufficient('SAME_TRIALS', sameTrials(gate, constant)));
      continue;
    }
    const counts = inScope.map(({ trials, passed, errors }) => ({ trials: trials.length, passed, errors }));
    const { verdict, reason } = judgePasses(gate, counts);
    const code = inScope.length === 0 ? 'NO_EVIDENCE' : 'RULE';
    const message = inScope.length === 0 ? `${reason}${meantScenario(gate, scenarios)}` : reason;
    reasons.push({ code, verdict, message });
    if (constant.length > 0) tells.push(`${sameTrials(gate, constant)} The bound is of the others.`);
    const planned = inScope.map(({ name, planned: trials, suite }) => ({ name, trials, suite }));
    const described = describePlanned(gate, planned, null);
    if (described !== null && described.characteristic.length > 0) tells.push(...described.sentences);
  }
  return { reasons, tells };
}

/** The scenarios that a rule is asked of. */
interface AskedScenarios<S> {
  /** What its trials are counted of. */
  readonly inScope: readonly S[];
  /** Left out, because the rule asks for a bound, and any number of their trials is one. */
  readonly constant: readonly S[];
}

/** Whose trials a rule counts. A bound says what other trials may give, and trials that are all the same say nothing of others. */
export function askedOf<S extends Pick<EvalScenario, 'name' | 'suite' | 'isConstant'>>(
  gate: Gate,
  scenarios: readonly S[],
): AskedScenarios<S> {
  const asked = scenarios.filter((scenario) => isAskedOf(gate, scenario));
  const isLeftOut = ({ isConstant }: S): boolean => isConstant === true && gate.side.kind !== 'point';
  return { inScope: asked.filter((one) => !isLeftOut(one)), constant: asked.filter(isLeftOut) };
}

/** Why a rule that asks for a bound counts no trial of constant scenarios. */
export function sameTrials({ text }: Gate, constant: readonly Pick<EvalScenario, 'name'>[]): string {
  const names = constant.map(({ name }) => JSON.stringify(name));
  return `${text}: ${constantText(names, MOST_NAMES)}, and show nothing of others.`;
}

/** A sentence that says which scenario a rule may mean that names none; empty where nobody can tell. */
function meantScenario({ scope }: Gate, scenarios: readonly TriedScenario[]): string {
  if (scope.kind !== 'scenario') return '';
  const meant = didYouMean(
    scope.name,
    scenarios.map(({ name }) => name),
  );
  return meant === null ? '' : ` Did you mean "${meant}"?`;
}

/** The gate of a rule. Throws `INPUT` for a text that is no gate, or a gate that trials of a release cannot decide. */
export function releaseGate(text: string): Gate {
  const parsed = parseGate(text);
  if (!parsed.ok) throw new PasskError('INPUT', `The rule "${text}" is no gate. ${parsed.problem.message}`);
  const { gate } = parsed;
  const { kind } = gate.scope;
  const isWhole = kind === 'partition' || kind === 'suite' || kind === 'scenario';
  if (isWhole && asksPasses(gate)) return gate;
  throw new PasskError('INPUT', `The rule "${text}" asks what a release does not decide by.`, {
    hint: 'Rules are about pass_rate, pass^K, pass@K or strict_pass_k of suites.NAME, suite or scenario(NAME).',
  });
}

/** Whether the rule is about the scenario, alone or with others. */
export function isAskedOf({ scope }: Gate, { name, suite }: Pick<TriedScenario, 'name' | 'suite'>): boolean {
  if (scope.kind === 'partition') return scope.name === suite;
  return scope.kind === 'scenario' ? scope.name === name : true;
}
