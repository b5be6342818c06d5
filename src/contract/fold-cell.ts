import { meetsBar } from '../gate/meets-bar.ts';
import { rateTexts } from '../gate/rate-text.ts';
import { wilsonInterval } from '../stats/wilson.ts';
import type { ContractCell, ContractEvidence } from '../types/contract-report.ts';
import type { Invariant } from '../types/invariant.ts';
import { type ContractPartResult, firedIn, type PartFailure } from './part-result.ts';

export interface FoldCellInput {
  readonly invariant: Invariant;
  readonly column: string;
  /** Share of trials that must obey. */
  readonly minPassRate: number;
  /** Those that judged this invariant in this column, in the order of prompts; at least one. */
  readonly parts: readonly ContractPartResult[];
}

/** One cell that applies, from the trials of all its prompts. */
export function foldCell({ invariant, column, minPassRate, parts }: FoldCellInput): ContractCell {
  const { id } = invariant;
  const sum = (pick: (part: ContractPartResult) => number): number =>
    parts.reduce((total, one) => total + pick(one), 0);
  const judged = sum(({ report: { trials } }) => trials.passed + trials.failed);
  const broken = sum(({ report: { trials } }) => trials.broken);
  const missing = sum(({ report: { trials } }) => trials.requested - trials.passed - trials.failed - trials.broken);
  const obeyed = judged - sum((part) => disobeyed(part, id));
  const all = judged + broken + missing;
  const evidence = obeyed < judged ? evidenceOf(parts, id) : null;
  // A bar of 1 is told apart from a share that is next to 1.
  const clears = (obeying: number): boolean => meetsBar(obeying, all, minPassRate === 1 ? null : minPassRate);
  const cell = (state: ContractCell['state'], why: string | null): ContractCell => ({
    invariant: id,
    column,
    state,
    judged,
    obeyed,
    interval: judged < 2 ? null : wilsonInterval(obeyed, judged),
    why,
    evidence,
  });
  const share = shareText({ judged, obeyed, minPassRate, evidence });
  if (!clears(obeyed + broken + missing)) return cell('failed', share);
  if (!clears(obeyed)) return cell('broken', unknownText(parts, broken, missing));
  const silent = firedIn(parts).filter(({ fired }) => fired === 0);
  if (silent.length > 0) {
    return cell('inconclusive', `never fired: ${silent.map(({ fault }) => fault).join(', ')}`);
  }
  return cell('passed', obeyed < judged ? share : null);
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

function disobeyed({ report }: ContractPartResult, id: string): number {
  return report.checks.find(({ check }) => check === id)?.failed ?? 0;
}

function evidenceOf(parts: readonly ContractPartResult[], id: string): ContractEvidence | null {
  const lowest = lowestDisobeying(parts, id);
  if (lowest === null) return null;
  const { part, trial } = lowest;
  const seen = part.seen.find((one) => one.trial === trial);
  const finding = seen?.findings.find(({ check }) => check === id);
  const prompt = finding?.at ?? part.prompts[0] ?? '';
  return {
    prompt,
    trial,
    answer: seen === undefined ? null : answerTo(prompt, seen),
    message: finding === undefined ? 'did not hold' : withoutName(finding.message, id),
    fired: seen?.fired ?? [],
    replay: part.replay(trial),
  };
}

/** The cell names its invariant already. */
function withoutName(message: string, id: string): string {
  return message.startsWith(`${id}: `) ? message.slice(id.length + 2) : message;
}

function answerTo(prompt: string, { answers }: PartFailure): string | null {
  return (
    (answers.find((one) => one.prompt === prompt) ?? (answers.length === 1 ? answers[0] : undefined))?.text ?? null
  );
}

interface Share {
  readonly judged: number;
  readonly obeyed: number;
  readonly minPassRate: number;
  readonly evidence: ContractEvidence | null;
}

function shareText({ judged, obeyed, minPassRate, evidence }: Share): string {
  if (judged === 1 && evidence !== null) return evidence.message;
  const bar = minPassRate === 1 ? '' : `; its bar is ${rateTexts(minPassRate)[0]}`;
  return `${obeyed} of ${judged} trial${judged === 1 ? '' : 's'} obeyed${bar}`;
}

function unknownText(parts: readonly ContractPartResult[], broken: number, missing: number): string {
  const texts: string[] = [];
  if (broken > 0) {
    const cause = parts.flatMap(({ report }) => report.failures).find((failure) => failure.brokenBy !== null)?.brokenBy;
    texts.push(`${broken === 1 ? '1 trial is' : `${broken} trials are`} broken${cause == null ? '' : ` (${cause})`}`);
  }
  if (missing > 0) texts.push(`${missing === 1 ? '1 trial' : `${missing} trials`} did not run`);
  return texts.join(' and ');
}
