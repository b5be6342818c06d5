import { describe, expect, test } from 'vitest';
import { htmlSections } from '../../src/report/html/html-sections.ts';
import { PLAIN_OPTIONS } from '../../src/report/plain-options.ts';
import { githubText } from '../../src/report/ci/render-github.ts';
import { junitText } from '../../src/report/ci/render-junit.ts';
import { tapText } from '../../src/report/ci/render-tap.ts';
import { RESULT_KINDS, reportedSections, reportedSuites, resultCounts } from '../../src/report/result-kinds.ts';
import { sectionBlocks } from '../../src/report/sections/markdown-sections.ts';
import { sectionLines } from '../../src/report/sections/text-sections.ts';
import { textStyle } from '../../src/report/text/text-style.ts';
import { aReport } from '../report/a-report.ts';
import { toyKind } from './toy-result.ts';

const options = { ...PLAIN_OPTIONS, timing: false };
const report = aReport({ scenarios: [] });
const kinds = [
  ...RESULT_KINDS,
  toyKind([{ name: 'parrot', file: 'models/parrot.toml', can: { echo: true, think: false } }]),
];

describe('a kind of result that no reporter knows', () => {
  const suites = reportedSuites({ report, options }, kinds);
  const sections = reportedSections(report, kinds);

  test('is in the text report', () => {
    expect(sectionLines(sections, false, textStyle(options)).join('\n')).toMatchInlineSnapshot(`
      "
      ✗ NO     parrot  1 of 2 capabilities
               asked once
        echo   ✓ yes
        think  ✗ NO

        ✗ think — asked once
          answer  """
    `);
  });

  test('is in Markdown', () => {
    expect(sectionBlocks(sections, options).join('')).toMatchInlineSnapshot(`
      "
      ### ✗ Model \`parrot\` unable

      1 of 2 capabilities

      | | capability | \`asked once\` |
      |---|---|---|
      |  | \`echo\` | ✓ yes |
      |  | \`think\` | **✗ NO** |

      <details><summary><code>think</code>: asked once, unable</summary>

      \`\`\`text
          answer  ""
      \`\`\`

      </details>
      "
    `);
  });

  test('is on the page', () => {
    const page = htmlSections(sections, 10_000, (value) => JSON.stringify(value).length);
    expect(page).toEqual({
      moreSections: 0,
      sections: [
        expect.objectContaining({
          kind: 'model',
          name: 'parrot',
          blocks: [
            expect.objectContaining({
              type: 'matrix',
              cells: [
                [0, '', 'able', [['answer', '', 'said']]],
                [1, '', 'unable', [['answer', '', 'said']]],
              ],
            }),
            expect.objectContaining({ type: 'evidence', more: 0 }),
          ],
        }),
      ],
    });
  });

  test('is counted', () => {
    expect(resultCounts(report, kinds)).toEqual([{ plural: 'models', parts: ['0 passed', '1 failed'] }]);
  });

  test('is in JUnit', () => {
    expect(junitText(report, suites, options)).toMatchInlineSnapshot(`
      "<?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="passk" tests="2" failures="1" errors="0">
        <testsuite name="model parrot" tests="2" failures="1" errors="0" skipped="0" time="0">
          <properties>
            <property name="file" value="models/parrot.toml"/>
          </properties>
          <testcase name="echo" classname="models.parrot" file="models/parrot.toml" time="0">
          </testcase>
          <testcase name="think" classname="models.parrot" file="models/parrot.toml" time="0">
            <failure message="It cannot think." type="capability">models/parrot.toml:2:1
      asked once
      </failure>
          </testcase>
        </testsuite>
      </testsuites>
      "
    `);
  });

  test('is in TAP', () => {
    expect(tapText(report, suites)).toMatchInlineSnapshot(`
      "TAP version 14
      1..2
      # passk 0.1.0, seed 0
      # model parrot: failed
      ok 1 - parrot: echo
      not ok 2 - parrot: think
        ---
        message: "It cannot think."
        ...
      # gate: pass
      "
    `);
  });

  test('is annotated by GitHub', () => {
    expect(githubText(report, suites, options).split('\n')[0]).toBe(
      '::error file=models/parrot.toml,line=2,col=1,title=parrot%3A think::It cannot think.%0Aasked once',
    );
  });
});
