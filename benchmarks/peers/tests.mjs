import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { marginalRate, median, timeCommand } from './measure.mjs';

/** One canned answer, looked at; many times. */
export async function testPeers({ here, scratch, passk, rounds }) {
  const own = await passkRate(passk, rounds);
  const bin = (...parts) => path.join(here, 'node_modules', ...parts);
  const rates = [
    {
      tool: 'promptfoo, echo provider',
      executes: 'render the prompt, echo it, one `equals` assertion; nothing written, no table, -j 20',
      value: marginalRate(rounds, 100, 1000, (count) => {
        const file = path.join(scratch, `promptfoo-${count}.json`);
        const tests = Array.from({ length: count }, (_, at) => ({
          vars: { at: String(at) },
          assert: [{ type: 'equals', value: `route ${at}` }],
        }));
        writeFileSync(file, JSON.stringify({ prompts: ['route {{at}}'], providers: ['echo'], tests }));
        const flags = ['--no-cache', '-j', '20', '--no-table', '--no-progress-bar', '--no-write'];
        return timeCommand([bin('promptfoo', 'dist', 'src', 'entrypoint.js'), 'eval', '-c', file, ...flags], {
          cwd: scratch,
        });
      }),
    },
    {
      tool: 'vitest',
      executes: 'one file of tests that parse a canned answer and compare its label; dot reporter',
      value: marginalRate(rounds, 500, 5000, (count) => {
        writeFileSync(
          path.join(scratch, 'a.test.mjs'),
          testFile("import { expect, test } from 'vitest';", count, true),
        );
        // Otherwise it takes the configuration of passk's own tests.
        const config = path.join(scratch, 'vitest.config.mjs');
        writeFileSync(config, "export default { test: { include: ['*.test.mjs'] } };\n");
        const args = ['run', '--reporter=dot', '--root', scratch, '--config', config];
        return timeCommand([bin('vitest', 'vitest.mjs'), ...args], { cwd: scratch });
      }),
    },
    {
      tool: 'node:test',
      executes: 'the same file with node:assert, `node --test`, dot reporter',
      value: marginalRate(rounds, 500, 5000, (count) => {
        const head = "import { test } from 'node:test'; import assert from 'node:assert';";
        writeFileSync(path.join(scratch, 'b.mjs'), testFile(head, count, false));
        return timeCommand(['--test', '--test-reporter=dot', path.join(scratch, 'b.mjs')], { cwd: scratch });
      }),
    },
  ];
  return [
    {
      tool: 'passk',
      executes:
        'route3, all nodes of every trial, six expectations, tally; two workers; ratios of this block are to it',
      value: own,
      unit: 'trials/s',
      ratio: 1,
    },
    ...rates.map((rate) => ({ ...rate, unit: 'trials/s', ratio: own / rate.value })),
  ];
}

function testFile(head, count, isVitest) {
  const check = isVitest ? "expect(label).toBe('alpha')" : "assert.strictEqual(label, 'alpha')";
  return `${head}
for (let i = 0; i < ${count}; i++) test('trial ' + i, () => {
  const { label } = JSON.parse('{"label":"alpha"}');
  ${check};
});
`;
}

async function passkRate({ runSuite }, rounds) {
  const rates = [];
  for (let i = 0; i < rounds; i++) {
    const took = async (trials) => {
      const start = performance.now();
      await runSuite({ scenarios: [route3()], trials, workers: 2 });
      return performance.now() - start;
    };
    const few = await took(4e6);
    rates.push((16e6 * 1000) / ((await took(20e6)) - few));
  }
  return median(rates);
}

function route3() {
  const contents = ['{"label":"alpha"}', '{"label":"beta"}', '{"label":"gamma"}', '{"label":'];
  return {
    name: 'route3',
    minPassRate: 0.2,
    workflow: {
      inline: {
        name: 'route3',
        startNodes: [{ name: 'main', source: 'manual', entryNode: 'classify' }],
        nodes: [
          { id: 'classify', type: 'llm_infer', backend: 'default', prompt: 'Which one?', outputSchema: 'inline' },
          { id: 'route', type: 'switch', expr: 'classify.parsed.label' },
          { id: 'alpha', type: 'terminate' },
          { id: 'beta', type: 'terminate' },
        ],
        edges: [
          { from: 'classify', to: 'route' },
          { from: 'route', to: 'alpha', when: 'alpha' },
          { from: 'route', to: 'beta', when: 'beta' },
        ],
      },
    },
    intel: { turns: [{ variants: contents.map((content) => ({ content, promptTokens: 12, completionTokens: 5 })) }] },
    expected: {
      status: 'completed',
      lastNode: 'alpha',
      path: ['classify', 'route', 'alpha'],
      pathExact: true,
      maxLlmCalls: 1,
      maxTotalTokens: 17,
    },
  };
}
