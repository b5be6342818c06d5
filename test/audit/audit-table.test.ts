import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { auditExitCode, auditTable, type AuditTableOptions } from '../../src/audit/audit-table.ts';
import { PasskError } from '../../src/errors.ts';
import type { TableAudit } from '../../src/types/audit/table-audit.ts';
import { brief } from '../source/parsed.ts';

const LEADERBOARD = fileURLToPath(new URL('../../../shared/reference/traces/tau2/leaderboard', import.meta.url));

/** A folder of files that goes away with the test. */
function aFolder(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'passk-audit-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return folder;
}

async function refusalOf(options: AuditTableOptions): Promise<PasskError> {
  try {
    await auditTable(options);
  } catch (error) {
    if (error instanceof PasskError) return error;
    throw error;
  }
  throw new Error('It is audited.');
}

const verdicts = ({ rows }: TableAudit): readonly string[] => rows.map(({ name, verdict }) => `${name} ${verdict}`);

const GLM =
  '{"model_name": "glm", "results": {"airline": {"pass_1": 82.5, "pass_2": 76.0, "pass_3": 72.0, "pass_4": 70.0}}}';
const CSV = 'name,tasks,pass^1,pass^2\nx,10,0.50,0.20\n';

describe.skipIf(!existsSync(LEADERBOARD))('the leaderboard of the reference (../shared/reference/traces/tau2)', () => {
  test('nine of ten complete rows are possible in one way, one is impossible, and seven are incomplete', async () => {
    const audit = await auditTable({ paths: [LEADERBOARD] });
    expect(audit.summary).toEqual({ rows: 17, unique: 9, ambiguous: 0, impossible: 1, incomplete: 7, undecided: 0 });
    expect(audit.twins).toEqual([]);
    expect(auditExitCode(audit)).toBe(1);
    const told = audit.rows.map(({ name, domain, tasks, verdict, histograms, missing }) =>
      [name, domain, tasks?.count, verdict, missing.join(' ') || histograms?.listed.join(' | ')].join(' '),
    );
    const voice = 'gemini-3.1-flash-live-preview-thinking-high';
    expect(told).toEqual([
      'Claude Opus 4.8 banking_knowledge 97 unique 45,8,8,14,22',
      `${voice} banking_knowledge 97 incomplete pass^2 pass^3 pass^4`,
      'GLM-5 airline 50 unique 4,1,6,4,35',
      'GLM-5 retail 114 unique 8,9,14,33,50',
      'GLM-5 telecom 114 unique 0,1,15,27,71',
      'GLM-5 banking_knowledge 97 impossible ',
      'gpt-realtime-1.0 retail 114 incomplete pass^2 pass^3 pass^4',
      'gpt-realtime-1.0 airline 50 incomplete pass^2 pass^3 pass^4',
      'gpt-realtime-1.0 telecom 114 incomplete pass^2 pass^3 pass^4',
      'Grok 4 fast banking_knowledge 97 unique 67,13,7,6,4',
      'o3 retail 114 incomplete pass^2 pass^3 pass^4',
      'o3 airline 50 incomplete pass^2 pass^3 pass^4',
      'o3 telecom 114 incomplete pass^1 pass^2 pass^3 pass^4',
      'Qwen3.5-397B-A17B airline 50 unique 5,2,2,7,34',
      'Qwen3.5-397B-A17B retail 114 unique 3,4,8,31,68',
      'Qwen3.5-397B-A17B telecom 114 unique 0,0,1,8,105',
      'Qwen3.5-397B-A17B banking_knowledge 97 unique 80,7,4,1,5',
    ]);
    expect(audit.rows.every(({ tasks, trials }) => tasks?.from === 'benchmark' && trials.from === 'benchmark')).toBe(
      true,
    );
  });

  test('with one trial said, the voice rows are complete; a twin and an ambiguous row that are planted are found', async () => {
    const voice = path.join(LEADERBOARD, 'gpt-realtime-1-0_openai_2026-04-13.json');
    const one = await auditTable({ paths: [voice], trials: 1 });
    expect(one.rows.map(({ histograms }) => histograms?.listed)).toEqual([[[73, 41]], [[32, 18]], [[92, 22]]]);
    const planted = aFolder({
      'copy.json': GLM.replace('"glm"', '"a copy"'),
      'coarse.csv': 'name,domain,tasks,pass^1,pass^2,pass^3,pass^4\ncoarse,retail,114,74,60,51,44\n',
    });
    const { rows, twins, summary } = await auditTable({ paths: [LEADERBOARD, planted] });
    expect([summary.unique, summary.ambiguous, summary.impossible]).toEqual([10, 1, 1]);
    expect(twins.map((places) => places.map((place) => rows[place]?.name))).toEqual([['GLM-5', 'a copy']]);
    expect(rows.filter(({ verdict }) => verdict === 'ambiguous').map(({ name }) => name)).toEqual(['coarse']);
  });
});

test('folders give their JSON, CSV and TSV files in order, and pass over what is no table', async () => {
  const cwd = aFolder({
    'b/z.csv': CSV,
    'b/a.tsv': CSV.replaceAll(',', '\t').replace('x', 'tab'),
    'a.json': GLM,
    'manifest.json': '{"submissions": ["a"]}',
    'notes.csv': 'what,ever\n1,2\n',
    'node_modules/x.csv': CSV,
    'readme.md': CSV,
  });
  const audit = await auditTable({ paths: ['.'], cwd });
  expect(verdicts(audit)).toEqual(['glm unique', 'tab unique', 'x unique']);
  expect(audit.rows.map(({ file, line }) => `${file}:${line}`)).toEqual(['a.json:1', 'b/a.tsv:2', 'b/z.csv:2']);
  // A named file is read whatever it is called, and once.
  expect(verdicts(await auditTable({ paths: ['readme.md', '.', 'readme.md'], cwd }))[0]).toBe('x unique');
});

test('every problem of every file is told at once', async () => {
  const cwd = aFolder({
    'bad.csv': 'tasks,pass^1\nx,0.5\n5,-1\n',
    'bad.json': '{"model_name": }',
    'no.csv': 'a,b\n1,2\n',
    'latin.csv': '',
    'quote.csv': 'pass^1\n"1',
  });
  writeFileSync(path.join(cwd, 'latin.csv'), Buffer.from([0x70, 0xe9]));
  const error = await refusalOf({
    paths: ['bad.csv', 'bad.json', 'no.csv', 'none.csv', 'latin.csv', 'quote.csv'],
    cwd,
  });
  expect([error.code, error.summary]).toEqual(['INPUT', 'The tables cannot be audited.']);
  expect(error.issues.map(({ code, at }) => `${at?.file}:${at?.line}:${at?.column} ${code}`)).toEqual([
    'bad.csv:2:1 bad_count',
    'bad.csv:3:3 bad_rate',
    'bad.json:1:16 json_syntax',
    'no.csv:1:1 no_table',
    'none.csv:1:1 file_missing',
    'latin.csv:1:2 not_utf8',
    'quote.csv:2:1 csv_syntax',
  ]);
});

test('files and folders without a row, too many rows and files that are too large are refused', async () => {
  const cwd = aFolder({
    'empty/readme.md': '',
    'head.csv': 'tasks,pass^1\n',
    'many.csv': `tasks,pass^1\n${'1,1\n'.repeat(10_001)}`,
    'large.csv': `pass^1\n${' '.repeat(9 * 1024 * 1024)}`,
  });
  const message = async (file: string) => brief((await refusalOf({ paths: [file], cwd })).issues);
  expect(await message('empty')).toEqual([
    'no_table 1:1 No file in "empty" has columns pass^1, pass^2, … or pass_1, pass_2, …. [Name files with tables in JSON or CSV, or folders of them.]',
  ]);
  expect((await message('head.csv'))[0]).toContain('No file has a row.');
  expect((await message('many.csv'))[0]).toContain('There are 10001 rows; the limit is 10000.');
  expect((await message('large.csv'))[0]).toContain('[Leave only the table in the file.]');
});

test('options that cannot be are refused before any file is read', async () => {
  const message = async (options: Partial<AuditTableOptions>) => {
    const { code, message, hint } = await refusalOf({ paths: ['none'], ...options });
    return [code, message, hint].filter((text) => text !== undefined).join(' | ');
  };
  expect(await message({ paths: [] })).toContain('USAGE | No file was named.');
  expect(await message({ tasks: 0 })).toBe('USAGE | "tasks" must be a whole number from 1, not 0.');
  expect(await message({ trials: 1.5 })).toBe('USAGE | "trials" must be a whole number from 1, not 1.5.');
  expect(await message({ domainTasks: { a: -1 } })).toBe('USAGE | "a" must be a whole number from 1, not -1.');
  expect(await message({ decimals: 21 })).toBe('USAGE | "decimals" must be a whole number from 0 to 20, not 21.');
});

test('a domain that no row has is a slip that is told', async () => {
  const cwd = aFolder({ 'a.json': GLM });
  const { code, message, hint } = await refusalOf({ paths: ['a.json'], cwd, domainTasks: { arline: 60 } });
  expect([code, message, hint]).toEqual(['USAGE', 'No row is of the domain "arline".', 'Did you mean "airline"?']);
});

test('the exit code is 1 for an impossible row, 3 where a complete row or all rows are undecided, else 0', () => {
  const none = { rows: 0, unique: 0, ambiguous: 0, impossible: 0, incomplete: 0, undecided: 0 };
  const code = (summary: Partial<typeof none>) => auditExitCode({ summary: { ...none, ...summary } });
  expect(code({ unique: 1, incomplete: 1 })).toBe(0);
  expect(code({ ambiguous: 1 })).toBe(0);
  expect(code({ unique: 1, impossible: 1, undecided: 1 })).toBe(1);
  expect(code({ incomplete: 2 })).toBe(3);
  expect(code({ unique: 1, undecided: 1 })).toBe(3);
});
