import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BlockGrid, type BlockSpan } from '../../../src/pool/blocks/block-grid.ts';
import { closeScenario, createControl, lowerLimit, noteNext } from '../../../src/pool/control.ts';
import { packSpans } from '../../../src/pool/messages.ts';
import { ServerNeeds } from '../../../src/pool/worker/server-needs.ts';

const SCENARIOS = 4;

/** Blocks of a few scenarios in rounds, as they are handed out: those of each scenario in their order. */
const spans = fc
  .array(fc.record({ scenario: fc.nat(SCENARIOS - 1), skipped: fc.nat(2), blocks: fc.integer({ min: 1, max: 4 }) }), {
    maxLength: 8,
  })
  .map((parts) => {
    const next = new Map<number, number>();
    return parts.map(({ scenario, skipped, blocks }): BlockSpan => {
      const fromBlock = (next.get(scenario) ?? 0) + skipped;
      next.set(scenario, fromBlock + blocks);
      return { scenario, fromBlock, toBlock: fromBlock + blocks };
    });
  });

test('a server is needed exactly while a block of one of its scenarios is in flight, or may still be claimed here', () => {
  fc.assert(
    fc.property(
      spans,
      fc.record({
        next: fc.nat(32),
        limit: fc.nat(32),
        position: fc.option(fc.nat(32)),
        closed: fc.dictionary(fc.constantFrom('0', '1', '2', '3'), fc.integer({ min: 1, max: 8 })),
        running: fc.uniqueArray(fc.nat(SCENARIOS - 1)),
        users: fc.uniqueArray(fc.nat(SCENARIOS - 1)),
      }),
      (blocks, { next, limit, position, closed, running, users }) => {
        const grid = new BlockGrid(blocks);
        const control = createControl({ workers: 1, total: grid.total, scenarios: SCENARIOS });
        noteNext(control, next);
        lowerLimit(control, limit);
        for (const [scenario, block] of Object.entries(closed)) closeScenario(control, Number(scenario), block);
        const ended: string[] = [];
        const needs = new ServerNeeds({
          task: { control, spans: packSpans(blocks), servers: [{ identity: 'shop', scenarios: users }] },
          inFlight: { has: (scenario) => running.includes(scenario) },
          position: () => position,
          endServers: (isNeeded) => ended.push(...['shop', 'other'].filter((identity) => !isNeeded(identity))),
        });
        needs.tick();
        const ahead = grid
          .slice(position ?? next, Math.min(limit, grid.total))
          .some((span) => users.includes(span.scenario) && span.fromBlock < (closed[span.scenario] ?? Infinity));
        const isNeeded = ahead || users.some((scenario) => running.includes(scenario));
        expect(ended).toEqual(isNeeded ? ['other'] : ['shop', 'other']);
      },
    ),
  );
});
