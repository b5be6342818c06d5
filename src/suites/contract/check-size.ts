import type { Contract } from '../../types/contract.ts';
import type { Report } from '../../workflow/report.ts';

/** Cells of a matrix, and scenarios that a contract is planned as: far more than anyone reads. */
const MOST = 10_000;

/** A few lines can multiply to more than fits into memory: told before anything is made of them. */
export function checkSize({ invariants, matrix, prompts, phase, sessions }: Contract, report: Report): void {
  // A session has one prompt.
  const asked = sessions === undefined ? prompts.length : 1;
  const promptCount = Math.max(1, asked) + invariants.reduce((sum, { probes }) => sum + probes.length, 0);
  const at = phase === 'contract' ? ['contract'] : [];
  const refuse = (what: string, number: number, hint: string): void => {
    const message = `The contract has ${number} ${what}; the limit is ${MOST}.`;
    report({ code: 'too_many_cells', message, at, part: 'key', hint });
  };
  const cells = matrix.length * invariants.length;
  if (cells > MOST) refuse('cells', cells, 'Write several contracts, each with a part of the columns or invariants.');
  else if (matrix.length * promptCount > MOST) {
    refuse(
      'columns times prompts',
      matrix.length * promptCount,
      'Write several contracts, each with a part of the prompts.',
    );
  }
}
