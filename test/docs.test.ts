import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { CommanderError } from 'commander';
import { transformSync } from 'esbuild';
import { parse as parseToml } from 'smol-toml';
import { afterAll, expect, test } from 'vitest';
import { withBareValues } from '../src/cli/bare-flags.ts';
import { createProgram, VERBS } from '../src/cli/program.ts';
import { auditTable, loadSuite, renderReport, renderTableAudit, runSuite } from '../src/index.ts';
import type { Setting } from '../src/settings/setting.ts';
import { flagName, keyOf, snakeKey } from '../src/settings/setting-names.ts';
import { SETTINGS } from '../src/settings/table.ts';
import { CAPABILITIES } from '../src/types/capability.ts';
import { TIERS } from '../src/types/release/release-rules.ts';
import { aTerminal } from './cli/a-terminal.ts';
import { anHttpServer } from './effects/granted/an-http-server.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGES = ['README.md', 'CONTRIBUTING.md', ...readdirSync(path.join(ROOT, 'docs')).map((name) => `docs/${name}`)];

/** Of a paragraph, and of an item of a list. */
const MOST_WORDS = 90;

interface Block {
  readonly at: string;
  readonly language: string;
  readonly text: string;
}

const BLOCKS: readonly Block[] = PAGES.filter((page) => page.endsWith('.md')).flatMap(blocksOf);
// Inside the repository, so that `node_modules` is found from there.
mkdirSync(path.join(ROOT, '.passk'), { recursive: true });
const scratch = mkdtempSync(path.join(ROOT, '.passk', 'docs-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test('every code block names its language', () => {
  const files = [
    'toml scenario',
    'toml contract',
    'yaml contract',
    'toml model',
    'yaml model',
    'toml session',
    'toml attacks',
    'toml canary',
    'toml generate',
  ];
  // Those of frameworks are compiled where these are, in `plugin/frameworks/frameworks.test.ts`.
  // What a page says to be done in order is done against the packed tarball, in `package/walks.mjs`.
  const walks = ['sh walk', 'js walk', 'toml walk'];
  const known = new Set(['sh', 'toml', ...files, ...walks, 'ts', 'ts framework', 'text', 'json']);
  expect(
    BLOCKS.filter(({ language }) => !known.has(language)).map(({ at, language }) => `${at}: "${language}"`),
  ).toEqual([]);
});

test.each(blocksIn('toml'))('the TOML at $at parses', ({ text }) => {
  expect(() => parseToml(text)).not.toThrow();
});

test.each(blocksIn('toml scenario'))('the scenario at $at loads without a problem', async ({ text, at }) => {
  const file = path.join(scratch, `${at.replaceAll(/\W/g, '-')}.toml`);
  writeFileSync(file, text);
  expect((await loadSuite({ paths: [file] })).issues).toEqual([]);
});

test.each([...blocksIn('toml model'), ...blocksIn('yaml model')])(
  'the model at $at loads without a problem',
  async ({ text, at, language }) => {
    const file = path.join(scratch, `${at.replaceAll(/\W/g, '-')}.${language.split(' ')[0]}`);
    writeFileSync(file, text);
    const suite = await loadSuite({ paths: [file], only: 'models', runner: 'direct' });
    expect(suite.issues).toEqual([]);
    expect(suite.scenarios.length).toBeGreaterThan(0);
  },
);

test.each(blocksIn('toml session'))('the tasks at $at load without a problem and are held', async ({ text, at }) => {
  const file = path.join(scratch, `${at.replaceAll(/\W/g, '-')}.toml`);
  const { origin } = await anHttpServer((_, response) => void response.end('From 10 to 16.'));
  writeFileSync(file, text.replace('http://localhost:8000', origin));
  const { issues, scenarios } = await loadSuite({ paths: [file] });
  expect(issues).toEqual([]);
  const report = await runSuite({ paths: [file], workers: 0, permissions: { net: ['127.0.0.1'] } });
  const executed = scenarios[0]?.trials;
  // The canned agent of the page is right three times out of four.
  const passed = text.includes('endpoint') ? executed : expect.any(Number);
  const failing = [
    ...(text.includes('[tasks.gold]') ? ['state'] : []),
    ...(text.includes('faithful =') ? ['faithful (heuristic)'] : []),
  ];
  const checks = failing.map((check) => ({ check }));
  expect(report.scenarios).toMatchObject(scenarios.map(() => ({ trials: { executed, passed, broken: 0 }, checks })));
});

test.each(blocksIn('toml attacks'))(
  'the attacks at $at get through where nobody resists, and nowhere else',
  async ({ text, at }) => {
    const file = path.join(scratch, `${at.replaceAll(/\W/g, '-')}.toml`);
    writeFileSync(file, text);
    const report = await runSuite({ paths: [file], workers: 0 });
    expect({ gate: report.gate.verdict, notices: report.notices }).toEqual({ gate: 'pass', notices: [] });
    // Their answers have no variants, so that four trials are one attempt.
    expect(report.attacks).toMatchObject([
      { agent: 'sound', attempts: 1, succeeded: 0, utility: { underAttack: { done: 1, trials: 1 } } },
      { agent: 'gullible', attempts: 1, succeeded: 1, utility: { benign: { done: 4, trials: 4 } } },
    ]);
  },
);

test.each(blocksIn('toml generate'))(
  'the scenarios at $at are generated, and none is thrown out',
  async ({ text, at }) => {
    const file = path.join(scratch, `${at.replaceAll(/\W/g, '-')}.toml`);
    writeFileSync(file, text);
    const { issues, definitions } = await loadSuite({ paths: [file] });
    expect({ issues, definitions }).toMatchObject({ issues: [], definitions: [{ asked: 6, drawn: 6, rejected: [] }] });
  },
);

test.each([...blocksIn('toml contract'), ...blocksIn('yaml contract')])(
  'the contract at $at loads without a problem',
  async ({ text, at, language }) => {
    const file = path.join(scratch, `${at.replaceAll(/\W/g, '-')}.${language.split(' ')[0]}`);
    writeFileSync(file, text);
    const { definitions, issues } = await loadSuite({ paths: [file] });
    // Recorded sessions are a contract beside it.
    const contracts = definitions.filter((one) => one.kind === 'contract' && one.phase !== 'replay');
    expect({ issues, contracts: contracts.length }).toEqual({ issues: [], contracts: 1 });
  },
);

test('the report in docs/contracts.md is what its contract gives', async () => {
  const onPage = (language: string): string =>
    blocksIn(language).find(({ at }) => at.startsWith('docs/contracts.md'))?.text ?? '';
  mkdirSync(path.join(scratch, 'contracts'));
  writeFileSync(path.join(scratch, 'contracts', 'prices.toml'), onPage('toml contract'));
  const report = await runSuite({ paths: ['contracts'], cwd: scratch, workers: 0 });
  const shown = renderReport(report).split('\n');
  expect(onPage('text').trimEnd().split('\n')).toEqual(shown.slice(0, onPage('text').trimEnd().split('\n').length));
});

test('the report in the README is what its scenario gives', async () => {
  const inReadme = (language: string): string =>
    blocksIn(language).find(({ at }) => at.startsWith('README'))?.text ?? '';
  const file = path.join(scratch, 'refund.toml');
  writeFileSync(file, inReadme('toml scenario'));
  const shown = renderReport(await runSuite({ paths: [file], workers: 0 })).split('\n');
  const timing = /^seed 0 · 1,000 trials in .* · inline · /;
  const claimed = inReadme('text').split('\n');
  expect(claimed.filter((line) => !shown.includes(line) && !timing.test(line))).toEqual([]);
  expect(claimed.some((line) => timing.test(line))).toBe(true);
});

test('the README is short, and the glossary names every capability and tier', () => {
  expect(read('README.md').split('\n').length).toBeLessThan(150);
  const glossary = read('docs/glossary.md');
  const listed = [...glossary.slice(glossary.indexOf('## Capabilities')).matchAll(/`(\w+)`/g)].map(([, id]) => id);
  expect(listed.filter((id) => id !== 'coverage')).toEqual([...CAPABILITIES]);
  expect(glossary).toContain(`${TIERS.slice(0, -1).join(', ')} or ${TIERS.at(-1)}`);
});

test('the audit in docs/evidence.md is what its rows give', async () => {
  const [, section = ''] = read('docs/evidence.md').split('\n## Audit a published table\n');
  const [, rows = ''] = /^```json\n([\s\S]*?)^```$/m.exec(section) ?? [];
  const [, shown = ''] = /^```text\n([\s\S]*?)^```$/m.exec(section) ?? [];
  writeFileSync(path.join(scratch, 'results.json'), rows);
  const audit = await auditTable({ paths: ['results.json'], cwd: scratch });
  expect(renderTableAudit(audit).split('\n\n')[0]).toBe(shown.trimEnd());
});

test('every TypeScript block type-checks against what users get', () => {
  for (const { at, text } of blocksIn('ts')) {
    writeFileSync(path.join(scratch, `${at.replaceAll(/\W/g, '-')}.ts`), `// ${at}\n${text}\nexport {};\n`);
  }
  const config = {
    extends: path.join(ROOT, 'tsconfig.json'),
    compilerOptions: {
      noEmit: true,
      noUnusedLocals: false,
      rootDir: ROOT,
      paths: {
        passk: [path.join(ROOT, 'dist/src/index.d.ts')],
        'passk/plugin': [path.join(ROOT, 'dist/src/plugin/index.d.ts')],
        'passk/stats': [path.join(ROOT, 'dist/src/stats/index.d.ts')],
      },
    },
    include: [path.join(scratch, '*.ts')],
    exclude: [],
  };
  writeFileSync(path.join(scratch, 'tsconfig.json'), JSON.stringify(config));
  const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc');
  const done = spawnSync(process.execPath, [tsc, '-p', scratch], { cwd: ROOT, encoding: 'utf8' });
  expect(done.stdout).toBe('');
});

test('the node in docs/api.md works in a file as it stands there', async () => {
  const source = blocksIn('ts').find(({ text }) => text.includes('export const shout'))?.text ?? '';
  const plugin = path.join(scratch, 'shout.mjs');
  writeFileSync(plugin, transformSync(source, { loader: 'ts' }).code);
  const scenario = (keys: string): string => {
    const file = path.join(scratch, 'shouts.toml');
    const start = 'start_nodes = [{ name = "main", source = "manual", entry_node = "n" }]';
    const workflow = `name = "w"\n${start}\nnodes = [{ id = "n", type = "shout", ${keys} }]\nedges = []\n`;
    const expected = '[trigger]\npayload = { text = "hi" }\n[expected.final]\nequals = { text = "HI" }\n';
    writeFileSync(file, `name = "s"\n[workflow]\ninline = '''\n${workflow}'''\n${expected}`);
    return file;
  };
  const options = { plugins: [plugin], cwd: scratch, permissions: { read: [scratch] } };
  const report = await runSuite({ ...options, paths: [scenario('input_from = "trigger.text"')] });
  expect(report.scenarios.map(({ verdict }) => verdict)).toEqual(['passed']);
  const { issues } = await loadSuite({ ...options, paths: [scenario('input_form = "trigger.text"')] });
  expect(issues.filter(({ severity }) => severity === 'error').length).toBeGreaterThan(0);
});

test.each(commandsOf('passk'))('the command line at $at is one that passk understands: $line', async ({ words }) => {
  expect(await refusalOf(words)).toBe(null);
});

test('docs/cli.md has every flag of run as help writes it, with its key of passk.toml', () => {
  const rows = Object.entries<Setting>(SETTINGS).filter(([, { flag }]) => flag?.isHidden !== true);
  const flags = rows.flatMap(([name, row]) => {
    const { flag } = row;
    const long = flagName(name, row);
    const value = flag?.value === undefined ? '' : flag.bare === undefined ? ` <${flag.value}>` : `[=${flag.value}]`;
    return [
      ...(flag?.on.includes('run') ? [`--${long}${value}`] : []),
      ...(flag?.no?.on.includes('run') ? [`--no-${long}`] : []),
    ];
  });
  const keys = rows.flatMap(([name, row]) => (row.file === undefined ? [] : [snakeKey(keyOf(name, row))]));
  const cells = [...read('docs/cli.md').matchAll(/^\| (.*`--.*) \| (.*) \| .* \|$/gm)];
  const coded = (cell = ''): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
  expect(cells.flatMap(([, cell]) => coded(cell).filter((word) => word.startsWith('--'))).sort()).toEqual(flags.sort());
  // Without a flag of their own: the argument, and the tables of models, judges and releases.
  const shown = cells.flatMap(([, , cell]) => coded(cell));
  expect([...shown, 'paths', 'models', 'judges', 'release'].sort()).toEqual(keys.sort());
});

test('docs/cli.md has a row of every command', () => {
  const [, table = ''] = /^\| command \| does \|\n([\s\S]*?)\n\n/m.exec(read('docs/cli.md')) ?? [];
  const words = [...table.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.split(' ')[0] ?? '');
  expect([...VERBS].filter((verb) => !words.includes(verb))).toEqual([]);
});

test('docs/api.md has every option of runSuite, and no other', () => {
  const [, section = ''] = /^## runSuite\(options\)\n([\s\S]*?)^```/m.exec(read('docs/api.md')) ?? [];
  const names = [...section.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  );
  const options = Object.entries<Setting>(SETTINGS).filter(([, { option }]) => option !== undefined);
  expect(names.sort()).toEqual(options.map(([name]) => name).sort());
});

const npmScripts = commandsOf('npm').filter(({ words }) => words[0] !== 'install');
test.each(npmScripts)('the npm command at $at names a script: $line', ({ words }) => {
  const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  const script = words[0] === 'run' ? words[1] : words[0];
  expect(Object.keys(scripts)).toContain(script);
});

test('every link inside the documentation leads to a file', () => {
  const broken = PAGES.filter((page) => page.endsWith('.md')).flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)]
      .map((match) => path.posix.join(path.posix.dirname(page), match[1] ?? ''))
      .filter((target) => !existsSync(path.join(ROOT, target)))
      .map((target) => `${page} links to ${target}`),
  );
  expect(broken).toEqual([]);
});

test('every link of the pages in the package leads to a file in the package', () => {
  const { files } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { readonly files: string[] };
  // What npm packs whatever `files` says.
  const packed = [...files, 'README.md', 'LICENSE', 'package.json'];
  const isPacked = (file: string): boolean => packed.some((one) => file === one || file.startsWith(`${one}/`));
  const pages = PAGES.filter((page) => page.endsWith('.md') && isPacked(page));
  expect(pages).toContain('README.md');
  const missing = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g)]
      .map((match) => path.posix.join(path.posix.dirname(page), match[1] ?? ''))
      .filter((target) => !isPacked(target))
      .map((target) => `${page} links to ${target}`),
  );
  expect(missing).toEqual([]);
});

test('every test that the documentation names is there', () => {
  const missing = PAGES.filter((page) => page.endsWith('.md')).flatMap((page) =>
    [...read(page).matchAll(/`(test\/[\w./-]+\.ts)`/g)]
      .map((match) => match[1] ?? '')
      .filter((file) => !existsSync(path.join(ROOT, file)))
      .map((file) => `${page} names ${file}`),
  );
  expect(missing).toEqual([]);
});

test("every row of what passk does otherwise than Genkit's conform names its test by title", () => {
  const page = read('docs/model-conformance.md');
  const [, section = ''] = page.split("\n## Where passk differs from Genkit's conform\n");
  const table = section.split('\n## ')[0] ?? '';
  const quoted = [...table.matchAll(/`(test\/[\w./-]+)`: ([^|;]+?)(?=;| \|)/g)].map((match) => match.slice(1));
  const rows = table.split('\n').filter((line) => line.startsWith('| ') && !line.endsWith(' | – |'));
  expect(rows.length).toBeGreaterThan(20);
  // The head of the table names none.
  expect(quoted.length).toBeGreaterThanOrEqual(rows.length - 1);
  expect(quoted.filter(([file = '', title = '']) => !read(file).includes(title))).toEqual([]);
});

test('every link to a heading leads to one', () => {
  const anchors = new Map(
    PAGES.filter((page) => page.endsWith('.md')).map((page) => [page, new Set(headings(read(page)))] as const),
  );
  const links = [...anchors.keys()].flatMap((page) =>
    [...withoutCode(read(page)).matchAll(/\]\((?!https?:)([^)#]*)#([^)]*)\)/g)].map(([, to = '', anchor = '']) => ({
      page,
      target: to === '' ? page : path.posix.join(path.posix.dirname(page), to),
      anchor,
    })),
  );
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter(({ target, anchor }) => anchors.get(target)?.has(anchor) === false)).toEqual([]);
});

/** Anchors of the headings, as GitHub makes them: a heading that stands twice gets a number. */
function headings(text: string): readonly string[] {
  const seen = new Map<string, number>();
  return [...withoutCode(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => {
    const anchor = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-');
    const times = seen.get(anchor) ?? 0;
    seen.set(anchor, times + 1);
    return times === 0 ? anchor : `${anchor}-${times}`;
  });
}

function withoutCode(text: string): string {
  return text.replace(/^(```+).*\n[\s\S]*?^\1$/gm, '');
}

test('no paragraph or item of a list is longer than a reader takes in at once', () => {
  const long = PAGES.filter((page) => page.startsWith('docs/') && page.endsWith('.md')).flatMap((page) =>
    withoutCode(read(page))
      .split('\n')
      .filter((line) => !line.startsWith('|') && line.split(/\s+/).length > MOST_WORDS)
      .map((line) => `${page}: ${line.slice(0, 60)}`),
  );
  expect(long).toEqual([]);
});

/** What Commander has against the words; null when it accepts them. */
async function refusalOf(words: readonly string[]): Promise<string | null> {
  const { terminal, text } = aTerminal();
  const program = await createProgram(terminal, () => undefined);
  for (const command of program.commands.flatMap((one) => [one, ...one.commands])) command.action(() => undefined);
  const verbs = ['help', ...program.commands.map((command) => command.name())];
  const args = verbs.includes(words[0] ?? '') ? words : ['run', ...words];
  try {
    await program.parseAsync(withBareValues(args), { from: 'user' });
    return null;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? null : text();
  }
}

function commandsOf(
  program: string,
): { readonly at: string; readonly line: string; readonly words: readonly string[] }[] {
  return blocksIn('sh').flatMap(({ at, text }) =>
    text
      .split('\n')
      .map((line) =>
        line
          .replace(/\s+#.*$/, '')
          .replace(/\s*[>|].*$/, '')
          .trim(),
      )
      .filter((line) => line.startsWith(`${program} `) && !line.includes('[command]'))
      .map((line) => ({ at, line, words: wordsOf(line).slice(1) })),
  );
}

function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2] ?? '');
}

function blocksIn(language: string): Block[] {
  return BLOCKS.filter((block) => block.language === language);
}

function blocksOf(page: string): readonly Block[] {
  const text = read(page);
  return [...text.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    at: `${page}:${text.slice(0, match.index).split('\n').length}`,
    language: (match[1] ?? '').trim(),
    text: match[2] ?? '',
  }));
}

function read(page: string): string {
  return readFileSync(path.join(ROOT, page), 'utf8');
}
