import { PasskError } from '../errors.ts';
import { checkGate, type GateTargets } from '../gate/check-gate.ts';
import { parseGate } from '../gate/parse-gate.ts';
import { codeFrame } from '../source/code-frame.ts';
import { hintFor } from '../text/did-you-mean.ts';
import type { Gate, GateProblem } from '../types/reports/gate.ts';
import type { Issue } from '../types/issue.ts';

/** Gates, and an issue for every text that is none. */
export function resolveGates(texts: readonly string[]): {
  readonly gates: readonly Gate[];
  readonly issues: readonly Issue[];
} {
  const gates: Gate[] = [];
  const issues: Issue[] = [];
  for (const [index, text] of texts.entries()) {
    if (typeof text !== 'string') {
      issues.push({ code: 'bad_option', severity: 'error', message: `Gate ${index + 1} is no text.` });
      continue;
    }
    const parsed = parseGate(text);
    if (parsed.ok) gates.push(parsed.gate);
    else issues.push(gateIssue(parsed.problem, text, index));
  }
  return { gates, issues };
}

/** Throws a `USAGE` error over all gates that name a scenario or cells which are not in this run. */
export function requireGates(gates: readonly Gate[], targets: GateTargets): void {
  const issues = gates.flatMap((gate, index) => {
    const problem = checkGate(gate, targets);
    return problem === null ? [] : [gateIssue(problem, gate.text, index)];
  });
  if (issues.length === 0) return;
  throw new PasskError('USAGE', issues.map(({ message }) => message).join(' '), { issues });
}

function gateIssue(problem: GateProblem, text: string, index: number): Issue {
  const { column, endColumn, candidates, word, message } = problem;
  const noun =
    problem.code === 'unknown_scenario'
      ? 'scenarios'
      : problem.code === 'unknown_metric'
        ? 'metrics'
        : problem.code === 'unknown_cell'
          ? 'names'
          : 'words';
  const hint = problem.hint ?? (candidates.length > 0 ? hintFor(word, candidates, noun) : undefined);
  // Line breaks of a text over several lines are blanks: columns count through all of it.
  const frame = codeFrame(text.replaceAll(/\s/g, ' '), 1, column, endColumn);
  return {
    code: problem.code,
    severity: 'error',
    message: `Gate ${index + 1}, column ${column}: ${message}`,
    at: { file: `gates[${index}]`, line: 1, column, endColumn, frame },
    ...(hint !== undefined && { hint }),
  };
}
