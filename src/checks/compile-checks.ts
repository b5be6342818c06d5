import type { Similarity } from '../plugin/similarity-type.ts';
import { COUNTERS, type Expected } from '../types/scenario.ts';
import { branchCheck } from './branch-check.ts';
import type { Check } from './check.ts';
import { counterMaxCheck, counterMinCheck } from './counter-bound-check.ts';
import { denialCheck } from './denial-check.ts';
import { erroredNodeCheck } from './errored-node-check.ts';
import { fileChecks } from './file-checks.ts';
import { forbiddenNodeCheck } from './forbidden-node-check.ts';
import { invariantChecks } from './invariants/invariant-checks.ts';
import { lastNodeCheck } from './last-node-check.ts';
import { type CheckParts, makeCheck } from './make-check.ts';
import { type NodePositions, nodePositions } from './node-positions.ts';
import { pathCheck } from './path-check.ts';
import { promptCheck } from './prompt-check.ts';
import { reasonContainsCheck, reasonEqualsCheck, reasonMatchesCheck } from './reason-checks.ts';
import { requestCheck } from './request-check.ts';
import { respondChecks } from './respond-checks.ts';
import { sequenceCheck } from './sequence-check.ts';
import { statusCheck } from './status-check.ts';
import { stoppedByCheck } from './stopped-by-check.ts';
import { valueCheck } from './value-check.ts';
import type { SchemaCompiler } from './value-test.ts';

export interface CheckInfo {
  /** Top-level nodes by position. */
  readonly nodeIds: readonly string[];
  readonly compileSchema: SchemaCompiler;
  /** False: no node of the workflow shapes a reply. Absent: one may. */
  readonly canRespond?: boolean;
  /** What the contract compares texts with; absent: passk's own. */
  readonly similarity?: Similarity;
}

/**
 * The checks of `[expected]`, uniquely named, in the order in which findings are shown: invariants, so that each has
 * its id as its name, the reference's eight keys in its own order, then stopped_by, errored_node, reason_equals,
 * reason_matches, forbidden_nodes, branches, the other bounds in the order of `COUNTERS` (min before max), values,
 * respond, prompts, requests, sequence, denials, files.
 */
export function compileChecks(expected: Expected, info: CheckInfo): readonly Check[] {
  const nodes = nodePositions(info.nodeIds);
  const parts = [
    ...(expected.invariants === undefined ? [] : invariantChecks(expected.invariants, info)),
    ...referenceChecks(expected, nodes),
    ...endingChecks(expected, nodes),
    ...expected.forbiddenNodes.map((node) => forbiddenNodeCheck(node, nodes)),
    ...expected.branches.map(({ node, branch }) => branchCheck(node, branch, nodes)),
    ...otherBounds(expected),
    ...expected.values.map((value) => valueCheck(value, nodes, info.compileSchema)),
    ...(expected.respond === undefined ? [] : respondChecks(expected.respond)),
    ...expected.prompts.map(promptCheck),
    ...(expected.requests ?? []).map(requestCheck),
    ...(expected.sequence === undefined ? [] : [sequenceCheck(expected.sequence)]),
    ...(expected.denials ?? []).map(denialCheck),
    ...fileChecks(expected.files),
  ];
  return nameUniquely(parts);
}

function referenceChecks(expected: Expected, nodes: NodePositions): readonly CheckParts[] {
  const { status, lastNode, reasonContains, path, pathExact, max, min } = expected;
  const checks: CheckParts[] = [];
  if (status !== undefined) checks.push(statusCheck(status));
  if (lastNode !== undefined) checks.push(lastNodeCheck(lastNode, nodes));
  if (reasonContains !== undefined) checks.push(reasonContainsCheck(reasonContains));
  // An empty path asserts nothing, exact or not.
  if (path !== undefined && path.length > 0) checks.push(pathCheck(path, pathExact, nodes));
  if (max.llmCalls !== undefined) checks.push(counterMaxCheck('llmCalls', max.llmCalls));
  if (max.llmTokens !== undefined) checks.push(counterMaxCheck('llmTokens', max.llmTokens));
  if (min.policyDenials !== undefined) checks.push(counterMinCheck('policyDenials', min.policyDenials));
  return checks;
}

function endingChecks(
  { stoppedBy, erroredNode, reasonEquals, reasonMatches }: Expected,
  nodes: NodePositions,
): readonly CheckParts[] {
  const checks: CheckParts[] = [];
  if (stoppedBy !== undefined) checks.push(stoppedByCheck(stoppedBy));
  if (erroredNode !== undefined) checks.push(erroredNodeCheck(erroredNode, nodes));
  if (reasonEquals !== undefined) checks.push(reasonEqualsCheck(reasonEquals));
  if (reasonMatches !== undefined) checks.push(reasonMatchesCheck(reasonMatches));
  return checks;
}

function otherBounds({ min, max }: Expected): readonly CheckParts[] {
  const checks: CheckParts[] = [];
  for (const counter of COUNTERS) {
    const [low, high] = [min[counter], max[counter]];
    if (low !== undefined && counter !== 'policyDenials') checks.push(counterMinCheck(counter, low));
    const isReference = counter === 'llmCalls' || counter === 'llmTokens';
    if (high !== undefined && !isReference) checks.push(counterMaxCheck(counter, high));
  }
  return checks;
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
