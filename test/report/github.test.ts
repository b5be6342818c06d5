import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { githubCommand } from '../../src/report/ci/github-command.ts';
import { renderGithub, renderIssueAnnotations } from '../../src/report/ci/render-github.ts';
import type { RenderOptions } from '../../src/types/render-options.ts';
import type { SuiteReport } from '../../src/types/reports/report.ts';
import { aFailingScenario, aReport } from './a-report.ts';
import { aHostileReport, aLargeReport, REPORT_CASES } from './report-cases.ts';
import { loadErrorsOf } from '../../src/types/reports/scenario-report.ts';

const options: RenderOptions = {
  columns: 80,
  color: false,
  unicode: true,
  verbose: false,
  quiet: false,
  timing: true,
};

const commandsOf = (report: SuiteReport): readonly Command[] => readCommands(renderGithub(report, options));

describe('a workflow command', () => {
  test('is read back as it was meant, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary', minLength: 1 }), (message, title) => {
        const text = githubCommand('error', { file: title, line: 3, title }, message);
        expect(readCommands(text)).toEqual([
          { level: 'error', properties: { file: title, line: '3', title }, message },
        ]);
      }),
    );
  });

  test('escapes % first, and commas and colons in properties only', () => {
    expect(githubCommand('warning', { file: 'a,b:c%0A.toml', line: 1 }, 'a,b:c%0A\r\nd')).toBe(
      '::warning file=a%2Cb%3Ac%250A.toml,line=1::a,b:c%250A%0D%0Ad\n',
    );
  });
});

describe('annotations', () => {
  test('point at the expectation that failed, at the problem of a file, else at the first line', () => {
    const places = ['failures', 'load-errors', 'broken'].map((name) => {
      const { properties = {} } = commandsOf(REPORT_CASES[name] ?? aReport())[0] ?? {};
      return [properties['file'], properties['line'], properties['col']];
    });
    expect(places).toEqual([
      ['corpus/reliability/classify.toml', '31', '13'],
      ['corpus/broken.toml', '14', '1'],
      ['corpus/conformance/llm-route.toml', '1', '1'],
    ]);
  });

  test('name files from the root of the repository', () => {
    const text = renderGithub(REPORT_CASES['failures'] ?? aReport(), { ...options, filePrefix: 'packages/agent' });
    expect(readCommands(text).map(({ properties }) => properties['file'])).toEqual([
      'packages/agent/corpus/reliability/classify.toml',
      'packages/agent/corpus/a.toml',
      undefined,
    ]);
    const beside = renderIssueAnnotations(
      [{ code: 'x', severity: 'error', message: 'm', at: { file: '../shared/a.toml', line: 1, column: 1 } }],
      { filePrefix: 'packages/agent' },
    );
    expect(readCommands(beside).map(({ properties }) => properties['file'])).toEqual(['packages/shared/a.toml']);
  });

  test('of scenarios made in memory name no file', () => {
    const report = aReport({ scenarios: [aFailingScenario({ file: '<memory>' })] });
    expect(Object.keys(commandsOf(report)[0]?.properties ?? {})).toEqual(['title']);
  });

  test('are one command each, whatever the texts are', () => {
    const shape = ['error', 'error', 'error', 'error', 'error', 'warning', 'notice'];
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const commands = commandsOf(aHostileReport(text));
        expect(commands.map(({ level }) => level)).toEqual(shape);
      }),
    );
  });

  test('are as many as GitHub keeps, with the number of those left out', () => {
    const commands = commandsOf(aLargeReport(2000));
    expect(commands.filter(({ level }) => level === 'error')).toHaveLength(50);
    expect(commands.filter(({ level }) => level === 'notice').map(({ message }) => message)).toEqual([
      '617 more annotations left out.',
      'Gate failed; 1333 of 2,000 scenarios passed, 16,000 trials, seed 0.',
    ]);
  });

  test('are there for problems that kept the run from starting', () => {
    const issues = REPORT_CASES['load-errors']?.scenarios.flatMap(loadErrorsOf) ?? [];
    expect(renderIssueAnnotations(issues, {})).toBe(
      '::error file=corpus/broken.toml,line=14,col=1,title=passk::Unknown key "statuz" in [expected].%0ADid you mean "status"?\n',
    );
  });
});

interface Command {
  readonly level: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
}

/** What a runner makes of lines: only those that begin with `::` are commands. */
function readCommands(text: string): readonly Command[] {
  return text
    .split(/\r?\n|\r/)
    .filter((line) => line !== '')
    .map((line) => {
      const [, level = '', list = '', message = ''] = /^::([a-z]+)(?: (.*?))?::(.*)$/su.exec(line) ?? [];
      const properties = Object.fromEntries(
        list
          .split(',')
          .filter((pair) => pair !== '')
          .map((pair) => {
            const equals = pair.indexOf('=');
            return [pair.slice(0, equals), unescapeText(pair.slice(equals + 1), { property: true })];
          }),
      );
      return { level, properties, message: unescapeText(message, { property: false }) };
    });
}

function unescapeText(text: string, { property }: { readonly property: boolean }): string {
  const plain = text.replaceAll('%0D', '\r').replaceAll('%0A', '\n');
  const whole = property ? plain.replaceAll('%3A', ':').replaceAll('%2C', ',') : plain;
  return whole.replaceAll('%25', '%');
}
