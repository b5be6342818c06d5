import type { ContractEvidence, ContractExample } from '../../types/reports/contract-report.ts';
import type { ContractPartResult, PartTrial } from './part-result.ts';

/** The lowest trial that disobeyed, with what was seen of it; null: none is known by number. */
export function cellEvidence(parts: readonly ContractPartResult[], id: string): ContractEvidence | null {
  const lowest = lowestDisobeying(parts, id);
  if (lowest === null) return null;
  const { part, trial } = lowest;
  const seen = part.seen.find((one) => one.trial === trial);
  const traceContext = part.report.failures.find((one) => one.trial === trial)?.traceContext;
  const finding = seen?.findings.find(({ check }) => check === id);
  // What was asked may be what a model made of the prompt.
  const [first, ...more] = seen?.answers ?? [];
  const prompt = finding?.at ?? (more.length === 0 ? first?.prompt : undefined) ?? part.prompts[0] ?? '';
  return {
    prompt,
    trial,
    answer: seen === undefined ? null : answerTo(prompt, seen),
    message: finding === undefined ? 'did not hold' : withoutName(finding.message, id),
    fired: seen?.fired ?? [],
    replay: part.replay(trial),
    ...(traceContext !== undefined && { traceContext }),
  };
}

/** The lowest seen trial in which the rule was obeyed, and if `struck` one that a fault struck; null: none was seen. */
export function cellExample(
  parts: readonly ContractPartResult[],
  id: string,
  { struck }: { readonly struck: boolean },
): ContractExample | null {
  const obeying = parts.flatMap((part) =>
    part.seen
      .filter(({ findings, fired }) => !findings.some(({ check }) => check === id) && !(struck && fired.length === 0))
      .flatMap(({ trial, answers: [first], fired }) => (first === undefined ? [] : [{ part, trial, first, fired }])),
  );
  const lowest = obeying.reduce<(typeof obeying)[number] | null>(
    (least, one) => (least === null || one.trial < least.trial ? one : least),
    null,
  );
  if (lowest === null) return null;
  const { part, trial, first, fired } = lowest;
  return { prompt: first.prompt, trial, answer: first.text, fired, replay: part.replay(trial) };
}

/** The lowest trial that disobeyed, and in which part; null: none is known by number. */
export function lowestDisobeying(
  parts: readonly ContractPartResult[],
  id: string,
): { readonly part: ContractPartResult; readonly trial: number } | null {
  let lowest: { readonly part: ContractPartResult; readonly trial: number } | null = null;
  for (const part of parts) {
    const { failureClasses, failures } = part.report;
    const trials = [
      ...failureClasses.filter(({ checks }) => checks.includes(id)).map(({ lowestTrial }) => lowestTrial),
      // Only so many classes are kept apart.
      ...failures.filter(({ findings }) => findings.some(({ check }) => check === id)).map(({ trial }) => trial),
    ];
    const trial = trials.length === 0 ? null : trials.reduce((a, b) => Math.min(a, b));
    if (trial !== null && (lowest === null || trial < lowest.trial)) lowest = { part, trial };
  }
  return lowest;
}

/** The cell names its invariant already. */
function withoutName(message: string, id: string): string {
  return message.startsWith(`${id}: `) ? message.slice(id.length + 2) : message;
}

function answerTo(prompt: string, { answers }: PartTrial): string | null {
  return (
    (answers.find((one) => one.prompt === prompt) ?? (answers.length === 1 ? answers[0] : undefined))?.text ?? null
  );
}
