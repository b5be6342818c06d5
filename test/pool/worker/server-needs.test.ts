import { EventEmitter } from 'node:events';
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

/** The servers that later pieces may ask; null: any. */
const needed = fc.record({ later: fc.option(fc.subarray(['shop', 'other'])) });

test('a server is needed exactly while a block of one of its scenarios is in flight or may still be claimed here, or a later piece may ask it', () => {
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
        kept: fc.option(needed),
        news: fc.option(needed),
      }),
      (blocks, { next, limit, position, closed, running, users, kept, news }) => {
        const grid = new BlockGrid(blocks);
        const control = createControl({ workers: 1, total: grid.total, scenarios: SCENARIOS });
        noteNext(control, next);
        lowerLimit(control, limit);
        for (const [scenario, block] of Object.entries(closed)) closeScenario(control, Number(scenario), block);
        const keptServers = kept === null ? null : { run: 1, needed: kept.later };
        const port = new EventEmitter();
        const ended: string[] = [];
        const needs = new ServerNeeds({
          task: {
            port,
            control,
            spans: packSpans(blocks),
            servers: [{ identity: 'shop', scenarios: users }],
            keptServers,
          },
          inFlight: { has: (scenario) => running.includes(scenario) },
          position: () => position,
          endServers: (isNeeded) => ended.push(...['shop', 'other'].filter((identity) => !isNeeded(identity))),
        });
        if (kept !== null && news !== null) port.emit('message', { kind: 'needed', needed: news.later });
        needs.tick();
        const ahead = grid
          .slice(position ?? next, Math.min(limit, grid.total))
          .some((span) => users.includes(span.scenario) && span.fromBlock < (closed[span.scenario] ?? Infinity));
        const later = kept === null ? [] : (news ?? kept).later;
        const isLater = (identity: string): boolean => later === null || later.includes(identity);
        const isNeeded = ahead || users.some((scenario) => running.includes(scenario)) || isLater('shop');
        expect(ended).toEqual([...(isNeeded ? [] : ['shop']), ...(isLater('other') ? [] : ['other'])]);
      },
    ),
  );
});
