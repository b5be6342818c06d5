import { expect, test } from 'vitest';
import { resolveRunOptions } from '../../src/settings/options.ts';
import { foldRun, prepareRun } from '../../src/suite/run-suite.ts';
import { createRunner } from '../../src/suite/runner.ts';
import { inFolder } from './contract-runs.ts';
import { aShopContract } from './shop-contract.ts';

test('a trial that passes when it is run again is never shown as evidence: its counts are refused', async () => {
  await inFolder({ 'shop.toml': aShopContract() }, async (cwd) => {
    const [options, others] = [1, 2].map((seed) => resolveRunOptions({ cwd, seed, workers: 0 }));
    if (options === undefined || others === undefined) throw new Error('There are two seeds.');
    const [{ input, plan }, other] = [await prepareRun(options), await prepareRun(others)];
    const runner = createRunner(options);
    try {
      const run = await runner.run(plan, options);
      await expect(foldRun({ input, plan, run, options })).resolves.toMatchObject({ report: { results: [{}] } });
      // As if these counts were of trials that this plan does not give.
      const foreign = foldRun({ input, plan: other.plan, run, options });
      await expect(foreign).rejects.toMatchObject({
        code: 'INTEGRITY',
        message: expect.stringMatching(/^Trial \d+ of ".+" was counted to fail [\w, ]+, and passes it now\.$/),
      });
    } finally {
      await runner.close();
    }
  });
});
