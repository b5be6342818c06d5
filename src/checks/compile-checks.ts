import { PasskError } from '../errors.ts';
import type { TrialCheck } from '../plugin/trial-check.ts';
import type { SchemaCompiler } from '../matching/value-test.ts';
import type { Similarity } from '../plugin/similarity-type.ts';
import type { ValidatorType } from '../plugin/validator-type.ts';
import type { Chaos } from '../types/chaos.ts';
import type { Expected } from '../types/scenarios/expected.ts';
import { COUNTERS } from '../types/trial.ts';
import { attackChecks } from './attack-checks.ts';
import { commandCheck } from './command-check.ts';
import { claimedCheck } from './claimed-check.ts';
import { branchCheck } from './branch-check.ts';
import { controlCheck } from './control-check.ts';
import type { Check } from './check.ts';
import { counterMaxCheck, counterMinCheck } from './counter-bound-check.ts';
import { denialCheck } from './denial-check.ts';
import { erroredNodeCheck } from './errored-node-check.ts';
import { faithfulCheck, type SupportChecker } from './faithful/faithful-check.ts';
import { fileChecks } from './file-checks.ts';
import { forbiddenNodeCheck } from './forbidden-node-check.ts';
import { goldCheck } from './gold-check.ts';
import { invariantTypeOf } from './invariants/builtin.ts';
import { invariantChecks } from './invariants/invariant-checks.ts';
import { codeCheck } from './code-check.ts';
import { type LoadedCode, loadedFunction } from './loaded-code.ts';
import { judgeCheck, prefersCheck } from './judge-check.ts';
import { lastNodeCheck } from './last-node-check.ts';
import { type CheckParts, makeCheck } from './make-check.ts';
import { type NodePositions, nodePositions } from './node-positions.ts';
import { pathCheck } from './path-check.ts';
import { promptCheck } from './prompt-check.ts';
import { reasonCheck } from './reason-checks.ts';
import { requestCheck } from './request-check.ts';
import { respondChecks } from './respond-checks.ts';
import { saidCheck } from './said-check.ts';
import { sequenceCheck } from './sequence-check.ts';
import { stateChecks } from './state-checks.ts';
import { statusCheck } from './status-check.ts';
import { stoppedByCheck } from './stopped-by-check.ts';
import { validatorChecks } from './validator-checks.ts';
import { valueCheck } from './value-check.ts';
import { verifiedCheck } from './faithful/verified-check.ts';

/** What is loaded where a check needs it. */
export interface CheckTools {
  readonly compileSchema: SchemaCompiler;
  /** Absent: no check compares facts, or checks are only named. */
  readonly checkSupport?: SupportChecker | undefined;
  /** Functions of the user behind checks and rules in code, by `codeKey`; absent: there are none, or they are only named. */
  readonly code?: LoadedCode | undefined;
}

export interface CheckInfo extends CheckTools {
  /** Top-level nodes by position. */
  readonly nodeIds: readonly string[];
  /** False: no node of the workflow shapes a reply. Absent: one may. */
  readonly canRespond?: boolean;
  /** What goes wrong around the subject; absent: nothing. */
  readonly chaos?: Chaos | undefined;
  /** What a workflow is asked; absent: nothing in words of a contract. */
  readonly asked?: string;
  /** True: the subject is no workflow. */
  readonly answersInTurns?: true;
  /** What the contract compares texts with; absent: passk's own. */
  readonly similarity?: Similarity;
  /** All validators that a test may name; absent: none is named. */
  readonly validators?: ReadonlyMap<string, ValidatorType>;
}

const NONE: ReadonlyMap<string, ValidatorType> = new Map();

/**
 * The checks of `[expected]`, uniquely named, in the order in which findings are shown: invariants, so that each has
 * its id as its name, validators, the verdict that a recorded trial brought along, its
 * gold calls, the state, code and programs of the user, what was said, judges, preferences and faithfulness, the reference's eight keys in its own order, then stopped_by, errored_node, reason_equals,
 * reason_matches, forbidden_nodes, branches, the other bounds in the order of `COUNTERS` (min before max), values,
 * respond, prompts, requests, sequence, denials, files. Those of a control are one check: that the right ones fail. Of a
 * subject that is attacked they are one too, which is told beside the attack.
 */
export function compileChecks(expected: Expected, info: CheckInfo): readonly Check[] {
  const nodes = nodePositions(info.nodeIds);
  const { checkSupport = notLoaded } = info;
  const parts: CheckParts[] =
    expected.invariants === undefined
      ? []
      : [...invariantChecks(expected.invariants, { ...info, nodes, checkSupport })];
  if (expected.validators !== undefined)
    parts.push(
      ...validatorChecks(expected.validators, { types: info.validators ?? NONE, compileSchema: info.compileSchema }),
    );
  if (expected.claimed === true) parts.push(claimedCheck());
  if (expected.gold !== undefined) parts.push(goldCheck(expected.gold, info.compileSchema));
  if (expected.state !== undefined) parts.push(...stateChecks(expected.state, info.compileSchema));
  for (const check of expected.checks ?? [])
    parts.push(codeCheck(check, loadedFunction(check, info.code) as TrialCheck));
  for (const command of expected.commands ?? []) parts.push(commandCheck(command));
  for (const text of expected.says ?? []) parts.push(saidCheck(text));
  for (const judge of expected.judges ?? []) parts.push(judgeCheck(judge));
  for (const { judge } of expected.prefers ?? []) parts.push(prefersCheck(judge));
  if (expected.faithful !== undefined) {
    const { judge } = expected.faithful;
    parts.push(
      judge === undefined
        ? faithfulCheck(expected.faithful, { nodes, checkSupport })
        : verifiedCheck(judge, expected.faithful),
    );
  }
  addReferenceChecks(parts, expected, nodes);
  addEndingChecks(parts, expected, nodes);
  for (const node of expected.forbiddenNodes) parts.push(forbiddenNodeCheck(node, nodes));
  for (const { node, branch } of expected.branches) parts.push(branchCheck(node, branch, nodes));
  addOtherBounds(parts, expected);
  for (const value of expected.values) parts.push(valueCheck(value, nodes, info.compileSchema));
  if (expected.respond !== undefined) parts.push(...respondChecks(expected.respond));
  for (const prompt of expected.prompts) parts.push(promptCheck(prompt));
  for (const request of expected.requests ?? []) parts.push(requestCheck(request));
  if (expected.sequence !== undefined) parts.push(sequenceCheck(expected.sequence));
  for (const denial of expected.denials ?? []) parts.push(denialCheck(denial));
  parts.push(...fileChecks(expected.files));
  const checks = nameUniquely(parts);
  if (expected.attack !== undefined) return nameUniquely(attackChecks(expected.attack, checks));
  return expected.fails === undefined ? checks : nameUniquely([controlCheck(expected.fails, checks)]);
}

/** True: a check looks for the facts of an answer. */
export function comparesFacts({ faithful, invariants }: Expected): boolean {
  if (faithful !== undefined && faithful.judge === undefined) return true;
  return invariants?.list.some(({ rule }) => invariantTypeOf(rule)?.comparesFacts) === true;
}

/** Stands in where checks are only named. */
function notLoaded(): never {
  throw new PasskError('INTERNAL', 'The module of a check has not been loaded.');
}

function addReferenceChecks(checks: CheckParts[], expected: Expected, nodes: NodePositions): void {
  const { status, lastNode, reasonContains, path, pathExact, max, min } = expected;
  if (status !== undefined) checks.push(statusCheck(status));
  if (lastNode !== undefined) checks.push(lastNodeCheck(lastNode, nodes));
  if (reasonContains !== undefined) checks.push(reasonCheck('reason_contains', { contains: reasonContains }));
  // An empty path asserts nothing, exact or not.
  if (path !== undefined && path.length > 0) checks.push(pathCheck(path, pathExact, nodes));
  if (max.llmCalls !== undefined) checks.push(counterMaxCheck('llmCalls', max.llmCalls));
  if (max.llmTokens !== undefined) checks.push(counterMaxCheck('llmTokens', max.llmTokens));
  if (min.policyDenials !== undefined) checks.push(counterMinCheck('policyDenials', min.policyDenials));
}

function addEndingChecks(checks: CheckParts[], expected: Expected, nodes: NodePositions): void {
  const { stoppedBy, erroredNode, reasonEquals, reasonMatches } = expected;
  if (stoppedBy !== undefined) checks.push(stoppedByCheck(stoppedBy));
  if (erroredNode !== undefined) checks.push(erroredNodeCheck(erroredNode, nodes));
  if (reasonEquals !== undefined) checks.push(reasonCheck('reason_equals', reasonEquals));
  if (reasonMatches !== undefined) checks.push(reasonCheck('reason_matches', { matches: reasonMatches }));
}

function addOtherBounds(checks: CheckParts[], { min, max }: Expected): void {
  for (const counter of COUNTERS) {
    const low = min[counter];
    const high = max[counter];
    if (low !== undefined && counter !== 'policyDenials') checks.push(counterMinCheck(counter, low));
    const isReference = counter === 'llmCalls' || counter === 'llmTokens';
    if (high !== undefined && !isReference) checks.push(counterMaxCheck(counter, high));
  }
}

/** The second of a name becomes `name #2`, the third `name #3`. */
function nameUniquely(parts: readonly CheckParts[]): readonly Check[] {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return parts.map((part) => {
    let count = (counts.get(part.name) ?? 0) + 1;
    let name = count === 1 ? part.name : `${part.name} #${count}`;
    while (taken.has(name)) name = `${part.name} #${++count}`;
    counts.set(part.name, count);
    taken.add(name);
    return makeCheck(part, name);
  });
}
