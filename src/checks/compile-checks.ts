import { PasskError } from '../errors.ts';
import type { TrialCheck } from '../plugin/trial-check.ts';
import type { SchemaCompiler } from '../matching/value-test.ts';
import type { Pointer } from '../source/place-tree.ts';
import type { Similarity } from '../plugin/similarity-type.ts';
import type { ValidatorType } from '../plugin/validator-type.ts';
import type { Chaos } from '../types/chaos.ts';
import type { Expected } from '../types/scenarios/expected.ts';
import { COUNTER_KEYS, COUNTERS } from '../types/trial.ts';
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
  /** True: models that answer it need not tell their tokens; absent: they do. */
  readonly asksOutside?: boolean;
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
  const { checkSupport = notLoaded, compileSchema } = info;
  const { invariants, validators, gold, state, faithful, values, respond, sequence } = expected;
  const parts: CheckParts[] = [];
  const add: AddChecks = (key, ...checks) => {
    const at = ['expected', ...key];
    for (const check of checks) parts.push(check.key === undefined ? { ...check, key: at } : check);
  };
  if (invariants !== undefined) {
    const checks = invariantChecks(invariants, { ...info, nodes, checkSupport });
    for (const [index, check] of checks.entries()) add(['invariants', index], check);
  }
  if (validators !== undefined)
    add([], ...validatorChecks(validators, { types: info.validators ?? NONE, compileSchema }));
  if (expected.claimed === true) add(['verdict'], claimedCheck());
  if (gold !== undefined) parts.push({ ...goldCheck(gold, compileSchema), key: ['gold'] });
  if (state !== undefined) add(['state'], ...stateChecks(state, compileSchema));
  for (const [index, check] of (expected.checks ?? []).entries())
    add(['checks', index], codeCheck(check, loadedFunction(check, info.code) as TrialCheck));
  for (const [index, command] of (expected.commands ?? []).entries()) add(['commands', index], commandCheck(command));
  for (const [index, text] of (expected.says ?? []).entries()) add(['says', index], saidCheck(text));
  for (const judge of expected.judges ?? []) add(['judges'], judgeCheck(judge));
  for (const [index, { judge }] of (expected.prefers ?? []).entries()) add(['prefers', index], prefersCheck(judge));
  if (faithful !== undefined) {
    const { judge } = faithful;
    add(
      ['faithful'],
      judge === undefined ? faithfulCheck(faithful, { nodes, checkSupport }) : verifiedCheck(judge, faithful),
    );
  }
  addReferenceChecks(add, expected, nodes);
  addEndingChecks(add, expected, nodes);
  for (const [index, node] of expected.forbiddenNodes.entries())
    add(['forbidden_nodes', index], forbiddenNodeCheck(node, nodes));
  for (const { node, branch } of expected.branches) add(['branches', node], branchCheck(node, branch, nodes));
  addOtherBounds(add, expected);
  for (const value of values) {
    const key = value.table === undefined ? ['final'] : ['values', value.table];
    add(key, valueCheck(value, nodes, compileSchema));
  }
  if (respond !== undefined) add(['respond'], ...respondChecks(respond));
  for (const [index, prompt] of expected.prompts.entries()) add(['prompts', index], promptCheck(prompt));
  const { requests = [] } = expected;
  for (const request of requests) {
    const ofPort = requests.filter(({ port }) => port === request.port);
    add([PORT_KEYS[request.port], ofPort.indexOf(request)], requestCheck(request));
  }
  if (sequence !== undefined) add(['sequence'], sequenceCheck(sequence));
  for (const [index, denial] of (expected.denials ?? []).entries()) add(['denials', index], denialCheck(denial));
  add(['files'], ...fileChecks(expected.files));
  const checks = nameUniquely(parts);
  if (expected.attack !== undefined) return nameUniquely(attackChecks(expected.attack, checks));
  return expected.fails === undefined ? checks : nameUniquely([controlCheck(expected.fails, checks)]);
}

/** Takes checks that stand under a key of `[expected]`. */
type AddChecks = (key: Pointer, ...checks: readonly CheckParts[]) => void;

/** True: a check looks for the facts of an answer. */
export function comparesFacts({ faithful, invariants }: Expected): boolean {
  if (faithful !== undefined && faithful.judge === undefined) return true;
  return invariants?.list.some(({ rule }) => invariantTypeOf(rule)?.comparesFacts) === true;
}

/** Stands in where checks are only named. */
function notLoaded(): never {
  throw new PasskError('INTERNAL', 'The module of a check has not been loaded.');
}

function addReferenceChecks(add: AddChecks, expected: Expected, nodes: NodePositions): void {
  const { status, lastNode, reasonContains, path, pathExact, max, min } = expected;
  if (status !== undefined) add(['status'], statusCheck(status));
  if (lastNode !== undefined) add(['last_node'], lastNodeCheck(lastNode, nodes));
  if (reasonContains !== undefined)
    add(['reason_contains'], reasonCheck('reason_contains', { contains: reasonContains }));
  // An empty path asserts nothing, exact or not.
  if (path !== undefined && path.length > 0) add(['path'], pathCheck(path, pathExact, nodes));
  if (max.llmCalls !== undefined) add([COUNTER_KEYS.llmCalls.max], counterMaxCheck('llmCalls', max.llmCalls));
  if (max.llmTokens !== undefined) add([COUNTER_KEYS.llmTokens.max], counterMaxCheck('llmTokens', max.llmTokens));
  if (min.policyDenials !== undefined)
    add([COUNTER_KEYS.policyDenials.min], counterMinCheck('policyDenials', min.policyDenials));
}

function addEndingChecks(add: AddChecks, expected: Expected, nodes: NodePositions): void {
  const { stoppedBy, erroredNode, reasonEquals, reasonMatches } = expected;
  if (stoppedBy !== undefined) add(['stopped_by'], stoppedByCheck(stoppedBy));
  if (erroredNode !== undefined) add(['errored_node'], erroredNodeCheck(erroredNode, nodes));
  if (reasonEquals !== undefined) add(['reason_equals'], reasonCheck('reason_equals', reasonEquals));
  if (reasonMatches !== undefined) add(['reason_matches'], reasonCheck('reason_matches', { matches: reasonMatches }));
}

function addOtherBounds(add: AddChecks, { min, max }: Expected): void {
  for (const counter of COUNTERS) {
    const low = min[counter];
    const high = max[counter];
    const keys = COUNTER_KEYS[counter];
    if (low !== undefined && counter !== 'policyDenials') add([keys.min], counterMinCheck(counter, low));
    const isReference = counter === 'llmCalls' || counter === 'llmTokens';
    if (high !== undefined && !isReference) add([keys.max], counterMaxCheck(counter, high));
  }
}

/** The keys of `[expected]` that count requests. */
const PORT_KEYS = { http: 'http', process: 'processes', mcp: 'mcp' } as const;

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
