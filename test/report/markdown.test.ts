import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { describe, expect, test } from 'vitest';
import { renderMarkdown } from '../../src/report/render-markdown.ts';
import type { RenderOptions } from '../../src/types/render-options.ts';
import { aReport } from './a-report.ts';
import { aHostileReport, aLargeReport, HOSTILE, REPORT_CASES, withHostilePanels } from './report-cases.ts';

const options: RenderOptions = {
  columns: 80,
  color: false,
  unicode: true,
  verbose: false,
  quiet: false,
  timing: true,
};

// As permissive as readers get: HTML is HTML, addresses become links.
const markdown = new MarkdownIt({ html: true, linkify: true });
const htmlOf = (text: string): string => markdown.render(renderMarkdown(aHostileReport(text), options));

describe('a Markdown report in a real renderer', () => {
  test('has only the elements of the report', () => {
    const tags = new Set(tagsOf(htmlOf(HOSTILE)).map((tag) => tag.replace(/ style="text-align:right"/, '')));
    expect([...tags].sort()).toEqual(
      [...['h2', 'h3', 'p', 'strong', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'code', 'pre', 'details', 'summary']]
        .flatMap((name) =>
          name === 'code' ? ['<code>', '<code class="language-text">', '</code>'] : [`<${name}>`, `</${name}>`],
        )
        .sort(),
    );
  });

  test.each([
    ['of scenarios', aHostileReport],
    ['with headings that name a matrix and a ladder', withHostilePanels],
  ])('shows what came from elsewhere in code only, where nobody is mentioned and nothing linked: %s', (_what, made) => {
    const outside = markdown
      .render(renderMarkdown(made(HOSTILE), options))
      .replace(/<pre>[\s\S]*?<\/pre>/g, '')
      .replace(/<code>[\s\S]*?<\/code>/g, '');
    expect(outside).not.toMatch(/[@#`]|evil|alert|onerror/);
  });

  test('shows every character of a name', () => {
    const name = 'a|b \\| `c` ``d`` <i> &amp; *e* [f](g)';
    const html = htmlOf(name);
    const cells = [...html.matchAll(/<td><code>([\s\S]*?)<\/code>/g)].map(([, text = '']) => unescapeHtml(text));
    const summaries = [...html.matchAll(/<summary><code>([\s\S]*?)<\/code>/g)].map(([, text = '']) =>
      unescapeHtml(text),
    );
    const models = ['openai', 'openai-compatible'].map((provider) => `${provider} ${name} as ${name}`);
    expect([...new Set([...cells, ...summaries])]).toEqual([name, ...models]);
  });

  test('has the same elements whatever the texts are', () => {
    const shape = tagsOf(htmlOf('plain'));
    const parts = [
      '|',
      '\\',
      '`',
      '``',
      '```',
      '\n',
      '~~~',
      '<b>',
      '</details>',
      '<!--',
      '@me',
      '[x]: y',
      '*',
      '_',
      ' ',
      '&#124;',
      'www.a.b',
      '$',
      '#',
      '- ',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 12 }), (pieces) => {
        // A letter keeps the text from being blank, which has no code to stand in.
        expect(tagsOf(htmlOf(`${pieces.join('')}a`))).toEqual(shape);
        expect(tagsOf(htmlOf(`a${pieces.join('')}`))).toEqual(shape);
      }),
    );
  });

  test('has a row for each scenario', () => {
    const rows = (name: string): number => {
      const report = REPORT_CASES[name];
      if (report === undefined) return 0;
      const [beforeModels = ''] = markdown.render(renderMarkdown(report, options)).split('<h3>');
      return beforeModels.split('<tr>').length - 2;
    };
    expect(['passed', 'failures', 'broken', 'load-errors', 'floor', 'hostile'].map(rows)).toEqual([2, 3, 2, 2, 1, 4]);
  });
});

describe('a long Markdown report', () => {
  test('counts spotless scenarios by folder and shows the first failures', () => {
    const text = renderMarkdown(aLargeReport(2000), options);
    expect(text).toContain('| ✓ pass | `suite/` 1,333 scenarios | 10,664 | | | | |\n');
    expect(text.split('<details>').length - 1).toBe(50);
    expect(text).toContain('… 617 more failing scenarios.');
  });

  test('says how many notices it leaves out where it is quiet', () => {
    const issue = { code: 'unknown_key', severity: 'warning' as const, message: 'There is no key "trails".' };
    const report = aReport({ notices: [issue] });
    const lineOf = (quiet: boolean) => renderMarkdown(report, { ...options, quiet }).split('\n')[2];
    expect(lineOf(true)).toBe(`${lineOf(false)} · 1 notice, shown without --quiet`);
  });

  test('fits the bytes that its reader takes, cut between its parts', () => {
    for (const maxBytes of [1500, 10_000, 50_000]) {
      const text = renderMarkdown(aLargeReport(2000), { ...options, verbose: true, maxBytes });
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
      expect(Buffer.byteLength(text)).toBeGreaterThan(maxBytes - 1000);
      expect(text.startsWith('## ✗ passk: gate failed\n')).toBe(true);
      expect(text.endsWith('is left out: the report would be longer than its reader takes._\n')).toBe(true);
      expect(text.split('<details>').length).toBe(text.split('</details>').length);
    }
  });

  test('is never longer than a mebibyte', () => {
    const text = renderMarkdown(aLargeReport(20_000), { ...options, verbose: true });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1024 * 1024);
  });
});

function tagsOf(html: string): readonly string[] {
  return html.match(/<[a-zA-Z/!][^>]*>/g) ?? [];
}

function unescapeHtml(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}
