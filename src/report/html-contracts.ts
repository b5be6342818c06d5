import type { ContractEvidence, ContractReport } from '../types/contract-report.ts';
import type { SuiteReport } from '../types/report.ts';
import {
  contractHeadline,
  contractName,
  contractNotes,
  formatScore,
  overallParts,
  redCells,
} from './contract-texts.ts';
import type { HtmlCell, HtmlContract, HtmlEvidence, HtmlOverall } from './html-model.ts';
import { htmlText, short } from './html-scenario.ts';

const MOST = { reasons: 20, notes: 40, faults: 40, fired: 40 } as const;
const LONGEST = { sentence: 600, text: 4000, command: 1000 } as const;

/** The contracts as the page shows them, in about `maxBytes`: matrices before evidence, what failed before what passed. */
export function htmlContracts(
  { contracts = [] }: SuiteReport,
  maxBytes: number,
  bytesOf: (value: unknown) => number,
): { readonly contracts: readonly HtmlContract[]; readonly moreContracts: number } {
  let room = maxBytes;
  const shown = new Map<ContractReport, HtmlContract>();
  const byNeed = [...contracts].sort((one, other) => needOf(one) - needOf(other));
  for (const contract of byNeed) {
    const matrix = htmlContract(contract);
    const bytes = bytesOf(matrix);
    if (bytes > room) continue;
    room -= bytes;
    shown.set(contract, matrix);
  }
  for (const contract of byNeed) {
    const matrix = shown.get(contract);
    if (matrix === undefined) continue;
    const { filled, bytes } = withEvidence(contract, matrix, room, bytesOf);
    room -= bytes;
    shown.set(contract, filled);
  }
  return {
    contracts: contracts.flatMap((contract) => shown.get(contract) ?? []),
    moreContracts: contracts.length - shown.size,
  };
}

/** The overall score as the page shows it; null: there is none. */
export function htmlOverall(report: SuiteReport): HtmlOverall | null {
  if (report.overall === undefined) return null;
  const { score, notRun } = report.overall;
  const [, ...phases] = overallParts(report);
  return {
    score: score === null ? 'none' : formatScore(100 * score),
    phases,
    notRun: notRun.slice(0, MOST.notes).map((sentence) => htmlText(sentence, LONGEST.sentence)),
  };
}

function needOf({ verdict }: ContractReport): number {
  return ['failed', 'insufficient', 'passed'].indexOf(verdict);
}

function htmlContract(contract: ContractReport): HtmlContract {
  const { name, file, description, verdict, reasons, columns, invariants, cells } = contract;
  return {
    name: contractName(name),
    file: htmlText(file),
    description: htmlText(description, LONGEST.sentence),
    verdict,
    headline: contractHeadline(contract),
    reasons: reasons.slice(0, MOST.reasons).map((reason) => htmlText(reason, LONGEST.sentence)),
    notes: contractNotes(contract).slice(0, MOST.notes),
    columns: columns.map(
      (column) =>
        [
          contractName(column.name),
          column.faults
            .slice(0, MOST.faults)
            .map(
              ({ fault, fired, detail, where }) =>
                [contractName(fault), fired, htmlText(detail, LONGEST.sentence), where ?? 'nowhere'] as const,
            ),
        ] as const,
    ),
    rows: invariants.map(
      ({ id, severity, type, negate, when }) =>
        [contractName(id), severity, negate ? `not ${type}` : type, when] as const,
    ),
    cells: cells.map(
      ({ state, obeyed, judged, struck, obeyedStruck, interval, why }): HtmlCell => [
        state,
        obeyed,
        judged,
        struck === null || obeyedStruck === null ? null : [obeyedStruck, struck],
        interval && [short(interval[0]) ?? 0, short(interval[1]) ?? 1],
        htmlText(why, LONGEST.sentence),
        null,
      ],
    ),
  };
}

/** The matrix with as much evidence as there is room for, the weightiest red cells first. */
function withEvidence(
  contract: ContractReport,
  matrix: HtmlContract,
  room: number,
  bytesOf: (value: unknown) => number,
): { readonly filled: HtmlContract; readonly bytes: number } {
  let bytes = 0;
  const found = new Map<unknown, HtmlEvidence>();
  for (const { cell } of redCells(contract)) {
    if (cell.evidence === null) continue;
    const evidence = htmlEvidence(cell.evidence);
    const more = bytesOf(evidence);
    if (bytes + more > room) break;
    bytes += more;
    found.set(cell, evidence);
  }
  const cells = matrix.cells.map((cell, at): HtmlCell => {
    const evidence = found.get(contract.cells[at]);
    const [state, obeyed, judged, struck, interval, why] = cell;
    return evidence === undefined ? cell : [state, obeyed, judged, struck, interval, why, evidence];
  });
  return { filled: { ...matrix, cells }, bytes };
}

function htmlEvidence({ prompt, trial, answer, message, fired, replay }: ContractEvidence): HtmlEvidence {
  return {
    prompt: htmlText(prompt, LONGEST.text),
    trial,
    answer: answer === null ? null : htmlText(answer, LONGEST.text),
    message: htmlText(message, LONGEST.sentence),
    fired: fired.slice(0, MOST.fired).map(contractName),
    replay: replay === null ? '' : htmlText(replay, LONGEST.command),
  };
}
