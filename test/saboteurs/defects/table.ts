import { defectsIn, type Saboteur } from '../saboteur.ts';

/**
 * Defects of the tables that long runs of pure programs go over. A trial that fails over tables is walked again before
 * it is shown, so only those show here that let trials pass or lose what was seen; test/laws knows the others.
 */
export const tableDefects: readonly Saboteur[] = [
  ...defectsIn('engine/table/table-walk.ts', [
    {
      name: 'tables go round loops for ever',
      find: 'if (edge.maxIterations >= 0) this.loops',
      replace: 'if (false) this.loops',
      noticedBy: 'passed',
    },
  ]),
  ...defectsIn('engine/table/cell-maker.ts', [
    {
      name: 'tables give every run the same final value',
      find: 'finalValue: move.output,',
      replace: "finalValue: { rendered: 'value' },",
      noticedBy: 'passed',
    },
  ]),
  ...defectsIn('trial/table-runner.ts', [
    { name: 'tables observe nothing', find: 'table.markPassed();', replace: '', noticedBy: 'observed' },
    {
      name: 'tables do not judge',
      find: 'const failed = judge.failed();',
      replace: 'const failed = 0 * judge.failed();',
      noticedBy: 'passed',
    },
  ]),
];
