import { expect, test } from 'vitest';
import { OpenClaims } from '../../src/queue/open-claims.ts';
import type { Closings } from '../../src/pool/executor.ts';
import { encodeTally, decodeTally } from '../../src/pool/tally/tally-codec.ts';
import { describeProgram } from '../../src/trial/describe-program.ts';
import { shapeOf } from '../../src/trial/tally/tally-shape.ts';
import { Tally } from '../../src/trial/tally/tally.ts';
import type { Delta } from '../../src/types/delta.ts';
import type { RunPlan } from '../../src/types/plan.ts';
import { prepareRun } from '../../src/suite/run-suite.ts';
import { resolveRunOptions } from '../../src/settings/options.ts';
import { aFolder, aGreeting } from '../cli/run-passk.ts';
import { writeFileSync } from 'node:fs';
import path from 'node:path';

const ONE = { workers: 1, concurrency: 16 };

test('a result that comes twice counts once, and a contradiction is an integrity failure', async () => {
  const { plan, claims } = await aRun();
  const claim = claims.open(ONE);
  const record = aRecord(plan, 0, 1, 'passed');
  const result = { kind: 'result', digest: '', claim: claim?.name ?? '', isLast: true, tookMs: 1 } as const;
  expect(claims.take({ ...result, records: [record] })).toEqual([record]);
  expect(claims.take({ ...result, records: [record] })).toEqual([]);
  expect(() => claims.take({ ...result, records: [aRecord(plan, 0, 1, 'failed')] })).toThrow(/two different results/);
});

test('a late result of many blocks is dropped when some of them came one by one', async () => {
  const { plan, claims } = await aRun();
  const result = { kind: 'result', digest: '', claim: 'claim-1', isLast: false, tookMs: 1 } as const;
  claims.open(ONE);
  expect(claims.take({ ...result, records: [aRecord(plan, 0, 1, 'passed')] })).toHaveLength(1);
  expect(claims.take({ ...result, records: [aRecord(plan, 0, 3, 'passed')] })).toEqual([]);
  expect(claims.take({ ...result, records: [aRecord(plan, 1, 3, 'passed')] })).toHaveLength(1);
});

test('a block that no worker survived is broken with the cause, and the rest is handed out again', async () => {
  const { plan, claims } = await aRun();
  const first = claims.open(ONE);
  const [broken] = claims.fail(first?.name ?? '', [0, 0], 'it cost 3 worker processes');
  expect(broken).toMatchObject({ scenario: 0, fromBlock: 0, toBlock: 1 });
  const tally = decodeTally(broken?.tally ?? new Uint8Array(), shapeFor(plan));
  expect([tally.broken, tally.lowestBroken[0]]).toEqual([4096, { trial: 0, cause: 'it cost 3 worker processes' }]);
  expect(claims.isDone).toBe(false);
  expect(claims.open(ONE)?.spans[0]?.fromBlock).toBe(1);
});

test('a block that was given up stays broken when a worker that was only slow delivers it', async () => {
  const { plan, claims } = await aRun();
  const first = claims.open(ONE);
  expect(claims.fail(first?.name ?? '', [0, 0], 'it cost 3 worker processes')).toHaveLength(1);
  const late = { kind: 'result', digest: '', claim: first?.name ?? '', isLast: false, tookMs: 1 } as const;
  expect(claims.take({ ...late, records: [aRecord(plan, 0, 1, 'passed')] })).toEqual([]);
});

test('blocks of a scenario that has stopped early are neither handed out nor waited for', async () => {
  const closed = { at: Number.POSITIVE_INFINITY };
  const closings = { closedAt: () => closed.at, onClose: () => () => undefined };
  const { plan, claims } = await aRun(closings);
  const result = { kind: 'result', digest: '', isLast: true, tookMs: 1 } as const;
  const first = claims.open(ONE);
  expect(first?.spans).toEqual([{ scenario: 0, fromBlock: 0, toBlock: 1 }]);
  claims.open(ONE);
  closed.at = 1;
  claims.close(0, 1);
  expect({ out: claims.size, next: claims.open(ONE) }).toEqual({ out: 1, next: null });
  expect(claims.take({ ...result, claim: first?.name ?? '', records: [aRecord(plan, 0, 1, 'passed')] })).toHaveLength(
    1,
  );
  expect(claims.isDone).toBe(true);
  expect(() => claims.requireWhole()).not.toThrow();
});

async function aRun(closings?: Closings): Promise<{ readonly plan: RunPlan; readonly claims: OpenClaims }> {
  const cwd = aFolder();
  writeFileSync(path.join(cwd, 'one.toml'), aGreeting({ trials: 3 * 4096 }));
  const { plan } = await prepareRun(resolveRunOptions({ cwd }));
  const blocks = [{ scenario: 0, fromBlock: 0, toBlock: 3 }];
  return { plan, claims: new OpenClaims({ plan, blocks, bail: 0, ...(closings && { closings }) }) };
}

function aRecord(plan: RunPlan, fromBlock: number, toBlock: number, verdict: 'passed' | 'failed'): Delta {
  const tally = new Tally(shapeFor(plan));
  for (let trial = fromBlock * 4096; trial < toBlock * 4096; trial++) {
    if (verdict === 'passed') tally.markPassed(trial);
    else tally.markFailed(trial, [0]);
  }
  return { scenario: 0, fromBlock, toBlock, tally: encodeTally(tally) };
}

function shapeFor({ scenarios: [scenario] }: RunPlan): Tally['shape'] {
  if (scenario === undefined) throw new Error('The plan is empty.');
  return shapeOf(describeProgram(scenario));
}
