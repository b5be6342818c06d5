import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that run longest, the longest first: begun last, one of them would keep one core busy alone. */
const LONGEST = [
  'test/security/terminal.test.ts',
  'test/cli/command-line.test.ts',
  'test/cli/signals.test.ts',
  'test/cli/isolation.test.ts',
  'test/cli/trust.test.ts',
  'test/pool/faults.test.ts',
  'test/cli/queue-absences.test.ts',
  'test/cli/queue.test.ts',
  'test/pool/late-errors.test.ts',
  'test/pool/crashes.test.ts',
  'test/runners/runners.test.ts',
  'test/cli/fault-chains.test.ts',
  'test/suites/model/other-runtimes.test.ts',
  'test/suites/model/published-plugins.test.ts',
  'test/saboteurs/saboteurs.test.ts',
];

/** Vitest's own order, with the longest files before all others: a fresh clone does not know yet how long they run. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification): number => {
      const place = LONGEST.indexOf(path.relative(this.ctx.config.root, moduleId));
      return place === -1 ? LONGEST.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}
