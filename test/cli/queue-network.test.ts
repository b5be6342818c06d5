import process from 'node:process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runSuite, type SuiteReport } from '../../src/index.ts';
import { aRedis, skipsRedis } from '../queue/a-redis.ts';
import { aSlowSuite, SLOW, SLOW_FLAGS, SLOW_PLUGINS } from '../queue/a-slow-suite.ts';
import { canMakeMachines, someMachines } from '../support/net-namespaces.ts';
import { aWorker } from './a-worker.ts';

const required = (process.env['PASSK_REQUIRE'] ?? '').split(',').includes('netns');

describe.skipIf(skipsRedis || (!required && !canMakeMachines()))('a queue over a network (needs netns, root)', () => {
  test('workers whose network is cut are given up, and take part again when it heals; the same bytes', async () => {
    const machines = someMachines(2);
    onTestFinished(() => machines.remove());
    const redis = await aRedis({ address: machines.address });
    onTestFinished(() => redis.stop());
    const cwd = aSlowSuite({ blocks: 40 });
    const plain = await runSuite({ cwd, plugins: SLOW_PLUGINS });
    const workers = [0, 1].map((index) =>
      aWorker({
        url: redis.url,
        cwd,
        flags: ['--as', `far-${index}`, ...SLOW_FLAGS],
        env: SLOW,
        prefix: machines.on(index),
      }),
    );
    // Both are there before the run begins, so that both take part from the start.
    await Promise.all(workers.map((worker) => worker.says('waits for runs')));
    const notices: string[] = [];
    const saying = (text: string): readonly string[] => notices.filter((notice) => notice.includes(text)).sort();
    const report = await runSuite({
      cwd,
      plugins: SLOW_PLUGINS,
      queue: {
        url: redis.url,
        lockMs: 1_000,
        onNotice: (text) => {
          notices.push(text);
          if (text.includes('takes part') && saying('takes part').length === 2) for (const i of [0, 1]) machines.cut(i);
          if (text.includes('silent') && saying('silent').length === 2) for (const i of [0, 1]) machines.heal(i);
        },
      },
    });
    expect(untimed(report)).toEqual(untimed(plain));
    expect(saying('silent')).toEqual(
      [0, 1].map((index) => `Worker far-${index} has gone silent; others take over what it held.`),
    );
    expect(saying('takes part').length).toBeGreaterThan(2);
    for (const { child, ended } of workers) {
      child.kill('SIGINT');
      expect(await ended).toEqual({ status: 0, signal: null });
    }
  });
});

function untimed({ timing: _, ...report }: SuiteReport): unknown {
  return report;
}
