import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTerminal, type ProcessLike, type Terminal } from '../../src/cli/terminal.ts';
import {
  planSuite,
  renderPlan,
  renderReport,
  renderTrace,
  runSuite,
  type ScenarioDefinition,
  traceTrial,
} from '../../src/index.ts';
import { obeyedLines } from './hostile-texts.ts';

/** Pieces that are, or become by a cut or a joint, commands of GitHub, Azure or TeamCity, and what may stand around them. */
const PIECES = [
  ...[
    ':',
    '::',
    '#',
    '##',
    '[',
    ']',
    '[error]',
    'vso[task.setvariable x]',
    'teamcity[message]',
    '::error::',
    '::x y::',
  ],
  ...[
    '##[group]',
    '##vso[task.x]',
    '##teamcity[x]',
    ' ',
    '  ',
    '\u00a0',
    '\u3000',
    '\n',
    '\r',
    '\t',
    '|',
    '→',
    '█',
    'é',
    '中',
  ],
  ...[
    'word',
    'w'.repeat(17),
    'w'.repeat(44),
    'x'.repeat(130),
    '\u001b[31m',
    '\u001b[2J',
    '\u202e',
    '"',
    '`',
    "'",
    '<',
    '-',
  ],
];
const hostile = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 14 }).map((pieces) => pieces.join(''));
const columns = fc.integer({ min: 20, max: 140 });

/** A terminal, and what it has written so far. */
function aTerminal(): { readonly terminal: Terminal; readonly written: () => string } {
  const texts: string[] = [];
  const stream = (): PassThrough => new PassThrough().on('data', (part: Buffer) => void texts.push(part.toString()));
  const process = { stdout: stream(), stderr: stream(), env: {}, platform: 'linux' } as unknown as ProcessLike;
  return { terminal: createTerminal(process), written: () => texts.join('') };
}

test('nothing that a terminal is given is obeyed, whatever its pieces are and however it is printed', async () => {
  const ways = fc.constantFrom('print', 'painted', 'complain', 'say', 'json', 'large json', 'lines', 'relay');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(ways, hostile, fc.nat(200)), { maxLength: 8 }), async (outputs) => {
      for (const [way, text, at] of outputs) {
        const { terminal, written } = aTerminal();
        if (way === 'print') terminal.print(text);
        else if (way === 'painted') terminal.print(text, { color: true });
        else if (way === 'complain') terminal.complain(text, { color: at % 2 === 0 });
        else if (way === 'say') terminal.say(text);
        else if (way === 'json') terminal.printJson({ [text]: [text] });
        else if (way === 'large json') await terminal.printLargeJson({ [text]: [text, { a: { b: [text] } }] });
        else if (way === 'lines') await terminal.printLines([text, text]);
        else for (const piece of [text.slice(0, at), text.slice(at), text]) terminal.relay(piece);
        await terminal.flush();
        expect([way, obeyedLines(written(), { color: true })]).toEqual([way, []]);
      }
    }),
    { numRuns: 400 },
  );
});

/** Everything that a scenario, its model and its workflow may say, said so. */
function aScenario(text: string): ScenarioDefinition {
  return {
    name: text,
    description: text,
    tags: [text],
    trials: 2,
    workflow: {
      inline: {
        name: 'w',
        startNodes: [{ name: 'main', source: 'manual', entryNode: 'ask' }],
        nodes: [
          { id: 'ask', type: 'llm_infer', backend: 'default', prompt: '{{text}}', inputFrom: 'trigger' },
          { id: 'read', type: 'read_file', pathFrom: 'ask.content' },
        ],
        edges: [{ from: 'ask', to: 'read' }],
      },
    },
    trigger: { payload: { text } },
    policy: { fs: { read: ['/none/**'] } },
    intel: { turns: [{ variants: [{ content: `/${text}` }, { content: text }] }] },
    expected: { status: 'completed', reasonContains: text, final: { equals: text } },
  };
}

/** Lines of the page's own script, which is no text of anybody. */
const OF_THE_PAGE = new Set(obeyedLines(readFileSync('dist/web/report.html', 'utf8')));

const REPORTERS = ['text', 'json', 'reference-json', 'ndjson', 'junit', 'tap', 'markdown', 'inspect', 'atif', 'html'];

test('every report, trace, plan and tree keeps what a model says from being obeyed at every width', {
  timeout: 120_000,
}, async () => {
  const styles = fc.record({ color: fc.boolean(), unicode: fc.boolean(), verbose: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(
      hostile,
      fc.array(columns, { minLength: 3, maxLength: 6 }),
      styles,
      async (text, widths, style) => {
        const scenario = aScenario(text);
        const report = await runSuite({ scenarios: [scenario], workers: 0, gates: ['pass_rate >= 0.5'] });
        const traced = await traceTrial({ scenario, trial: 0 });
        const plan = await planSuite({ scenarios: [scenario] });
        for (const width of widths) {
          const options = { ...style, columns: width };
          const texts: readonly (readonly [string, string, boolean])[] = [
            ...REPORTERS.map(
              (reporter) => [reporter, renderReport(report, { reporter, ...options }), reporter !== 'text'] as const,
            ),
            ['trace', renderTrace(traced, options), false],
            ['plan', renderPlan(plan, options), false],
          ];
          for (const [what, shown, isData] of texts) {
            const { terminal, written } = aTerminal();
            if (isData) terminal.printData(shown);
            else terminal.print(shown, style);
            await terminal.flush();
            const obeyed = obeyedLines(written(), { color: true }).filter((line) => !OF_THE_PAGE.has(line));
            expect([what, width, obeyed]).toEqual([what, width, []]);
          }
        }
      },
    ),
    { numRuns: 60 },
  );
});
