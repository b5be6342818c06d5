import { isSampled } from '../types/reports/scenario-report.ts';
import { plainValue } from './gate-value.ts';
import { between, type NoReading, type Reading } from './reading.ts';
import { trialTotals } from './read-scenario.ts';
import type { JudgedCell } from './read-suite.ts';

/**
 * How many of these cells failed their bar, or passed only after a retry. One of whose trials some broke or did not run
 * counts both ways.
 */
export function readCells(count: 'failed' | 'flaky', cells: readonly JudgedCell[]): Reading | NoReading {
  if (cells.length === 0) return { verdict: 'insufficient', why: 'has no cell' };
  const isOpen = ({ report }: JudgedCell): boolean => report.verdict === 'not_run' || trialTotals(report).unknown > 0;
  const open = cells.filter(isOpen).length;
  const counted = cells.filter((cell) => !isOpen(cell) && outcomeOf(cell) === count).length;
  const basis = `of ${cells.length} cell${cells.length === 1 ? '' : 's'}`;
  return between(plainValue(counted), plainValue(counted + open), basis, counted);
}

function outcomeOf({ report }: JudgedCell): 'passed' | 'failed' | 'flaky' {
  if (report.verdict !== 'passed') return 'failed';
  return isSampled(report) && (report.cost.total.retries ?? 0) > 0 ? 'flaky' : 'passed';
}
