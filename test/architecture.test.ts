import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MAX_LINES = 300;

interface Room {
  readonly storey: number;
  /** Rooms it may import besides itself. */
  readonly imports: readonly string[];
  /** Packages it may import. */
  readonly packages?: readonly string[];
}

const GROUND = ['types', 'errors.ts', 'version.ts', 'random', 'stats', 'text', 'values', 'schema'];
const FIRST = ['source', 'plugin', 'workflow', 'gate'];
const SECOND = ['engine', 'policy', 'matching', 'effects', 'intelligence', 'faults', 'checks', 'target'];

/** docs/architecture.md as data: a room imports only what its row says. */
const ROOMS: Readonly<Record<string, Room>> = {
  types: { storey: 0, imports: [], packages: [] },
  'errors.ts': { storey: 0, imports: ['types'], packages: [] },
  'version.ts': { storey: 0, imports: [], packages: [] },
  random: { storey: 0, imports: ['types'], packages: [] },
  stats: { storey: 0, imports: ['random'], packages: [] },
  text: { storey: 0, imports: [], packages: ['get-east-asian-width'] },
  values: { storey: 0, imports: ['types', 'errors.ts'], packages: ['re2js'] },
  schema: { storey: 0, imports: ['types', 'values'], packages: [] },
  source: { storey: 1, imports: GROUND },
  plugin: { storey: 1, imports: GROUND, packages: [] },
  workflow: { storey: 1, imports: [...GROUND, 'source'] },
  gate: { storey: 1, imports: GROUND },
  policy: { storey: 2, imports: GROUND },
  engine: { storey: 2, imports: [...GROUND, ...FIRST, 'policy'] },
  matching: { storey: 2, imports: [...GROUND, ...FIRST, 'policy'] },
  effects: { storey: 2, imports: [...GROUND, ...FIRST, 'policy', 'matching'] },
  intelligence: { storey: 2, imports: [...GROUND, ...FIRST] },
  faults: { storey: 2, imports: [...GROUND, ...FIRST] },
  checks: { storey: 2, imports: [...GROUND, ...FIRST, 'policy', 'matching'] },
  target: { storey: 2, imports: [...GROUND, ...FIRST, 'policy', 'effects', 'faults'] },
  trial: { storey: 3, imports: [...GROUND, ...FIRST, ...SECOND] },
  scenario: { storey: 4, imports: [...GROUND, ...FIRST] },
  suites: { storey: 4, imports: [...GROUND, ...FIRST, ...SECOND, 'trial', 'scenario'] },
  baseline: { storey: 4, imports: [...GROUND, ...FIRST] },
  report: { storey: 4, imports: GROUND },
  pool: { storey: 4, imports: [...GROUND, ...FIRST, 'trial'] },
  settings: {
    storey: 5,
    imports: [...GROUND, 'source', 'gate', 'effects', 'intelligence', 'scenario', 'baseline', 'pool'],
  },
  suite: {
    storey: 5,
    imports: [...GROUND, ...FIRST, ...SECOND, 'trial', 'scenario', 'suites', 'baseline', 'report', 'pool', 'settings'],
  },
  'index.ts': {
    storey: 6,
    imports: [
      ...GROUND,
      ...FIRST,
      ...SECOND,
      'trial',
      'scenario',
      'suites',
      'baseline',
      'report',
      'pool',
      'settings',
      'suite',
    ],
    packages: [],
  },
  vitest: { storey: 6, imports: ['types', 'gate'], packages: ['vitest'] },
  cli: {
    storey: 6,
    imports: ['index.ts', 'text', 'values', 'settings'],
    packages: ['commander', 'log-update', 'chokidar'],
  },
  workers: { storey: 6, imports: ['types', 'random', 'source', 'effects', 'trial', 'plugin', 'pool'] },
};

/** Rooms whose answers depend on nothing but their arguments. */
const PURE = [
  'types',
  'errors.ts',
  'random',
  'stats',
  'text',
  'values',
  'schema',
  'workflow',
  'gate',
  'engine',
  'policy',
  'matching',
  'faults',
  'checks',
  'trial',
];

interface Rule {
  readonly what: string;
  readonly pattern: RegExp;
  readonly rooms: (room: string) => boolean;
}

const RULES: readonly Rule[] = [
  {
    what: 'writes to the terminal; only cli/ does',
    pattern: /\bconsole\s*\.|\bprocess\s*\.\s*std(?:out|err)\b/,
    rooms: (room) => room !== 'cli',
  },
  {
    what: 'ends the process; set process.exitCode in cli/',
    pattern: /\bprocess\s*\.\s*exit\s*\(/,
    rooms: (room) => room !== 'cli',
  },
  {
    what: 'reads clock, dice or environment below the trial boundary; take it as an argument',
    pattern:
      /\bMath\s*\.\s*random\b|\bDate\s*\.\s*now\b|\bnew\s+Date\s*\(\s*\)|\bperformance\s*\.\s*now\b|\bprocess\s*\.\s*(?:env|hrtime|cwd)\b|\brandomUUID\b/,
    rooms: (room) => PURE.includes(room) || room === 'source' || room === 'plugin',
  },
  {
    what: 'reaches the disk, the network or other processes below the trial boundary; ask a port',
    pattern: /\bfrom\s+['"]node:(?:fs|os|http|https|net|dns|child_process|worker_threads)\b/,
    rooms: (room) => PURE.includes(room),
  },
];

interface SourceFile {
  readonly file: string;
  readonly room: string;
  readonly text: string;
}

const FILES: readonly SourceFile[] = [...listFiles('src'), ...listFiles('workers')];

test('every file lives in a room of the table', () => {
  const strangers = FILES.filter(({ room }) => ROOMS[room] === undefined);
  expect(strangers.map(({ file, room }) => `${file}: room "${room}" is not in the table of this test`)).toEqual([]);
});

test('a room imports only the rooms and packages that its row allows', () => {
  expect(FILES.flatMap(forbiddenImports)).toEqual([]);
});

test.each(['docs/architecture.md', 'CONTRIBUTING.md'])('%s names every room', (page) => {
  const text = readFileSync(path.join(ROOT, page), 'utf8');
  const rooms = [...new Set(FILES.map(({ room }) => room))];
  expect(rooms.filter((room) => !text.includes(room.includes('.') ? `\`${room}\`` : `\`${room}/\``))).toEqual([]);
});

test('the table has no arrow to a higher storey', () => {
  const upward = Object.entries(ROOMS).flatMap(([name, room]) =>
    room.imports
      .filter((target) => (ROOMS[target]?.storey ?? Number.POSITIVE_INFINITY) > room.storey)
      .map((target) => `${name} → ${target}`),
  );
  expect(upward).toEqual([]);
});

test(`no file is longer than ${MAX_LINES} lines`, () => {
  const long = FILES.map(({ file, text }) => ({ file, lines: text.trimEnd().split('\n').length }));
  expect(long.filter(({ lines }) => lines > MAX_LINES)).toEqual([]);
});

test('rooms keep to what their storey may touch', () => {
  const breaches = FILES.flatMap(({ file, room, text }) =>
    codeLines(text).flatMap(({ line, code }) =>
      RULES.filter((rule) => rule.rooms(room) && rule.pattern.test(code)).map(
        (rule) => `${file}:${line} ${rule.what}: ${code.trim()}`,
      ),
    ),
  );
  expect(breaches).toEqual([]);
});

test('in the command line one file writes, and what it writes passes the sanitiser', () => {
  const writers = FILES.filter(({ room, text }) => {
    const writes = /\bconsole\s*\.|\bstd(?:out|err)\s*\.\s*write\b|\bwriteSync\b/;
    return room === 'cli' && codeLines(text).some(({ code }) => writes.test(code));
  });
  // What descriptors are written to with is below the terminal.
  expect(writers.map(({ file }) => file)).toEqual(['src/cli/open-output.ts', 'src/cli/terminal.ts']);
});

function forbiddenImports({ file, room, text }: SourceFile): readonly string[] {
  const row = ROOMS[room];
  if (row === undefined) return [];
  return importsOf(text).flatMap(({ line, specifier }) => {
    const place = `${file}:${line}`;
    if (specifier.startsWith('node:')) return [];
    if (!specifier.startsWith('.')) {
      const name = packageName(specifier);
      if (row.packages === undefined || row.packages.includes(name)) return [];
      return [`${place}: ${room} may not import the package ${name}; its row allows ${listed(row.packages)}`];
    }
    const target = path.posix.join(path.posix.dirname(file), specifier);
    const other = roomOf(target);
    if (other === room || row.imports.includes(other)) return [];
    return [`${place}: ${room} (storey ${row.storey}) may not import ${target}; its row allows ${listed(row.imports)}`];
  });
}

/** Static, type-only, re-exporting and dynamic imports alike. */
function importsOf(text: string): readonly { readonly line: number; readonly specifier: string }[] {
  const found: { line: number; specifier: string }[] = [];
  const code = withoutBlockComments(text);
  const pattern =
    /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]|\bimport\s*\(\s*['"]([^'"]+)['"]/gm;
  for (const match of code.matchAll(pattern)) {
    const specifier = match[1] ?? match[2] ?? match[3];
    if (specifier === undefined) continue;
    found.push({ line: code.slice(0, match.index + match[0].length).split('\n').length, specifier });
  }
  return found;
}

function codeLines(text: string): readonly { readonly line: number; readonly code: string }[] {
  return withoutBlockComments(text)
    .split('\n')
    .map((code, index) => ({ line: index + 1, code: code.replace(/(^|\s)\/\/.*$/, '') }));
}

function withoutBlockComments(text: string): string {
  return text.replace(/^\s*\/\*[\s\S]*?\*\//gm, (comment) => comment.replace(/[^\n]/g, ''));
}

function roomOf(file: string): string {
  const [top, second] = file.split('/');
  return top === 'workers' ? 'workers' : (second ?? file);
}

function packageName(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}

function listFiles(folder: string): readonly SourceFile[] {
  if (!existsSync(path.join(ROOT, folder))) return [];
  return readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?[jt]s$/.test(entry.name))
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .sort()
    .map((file) => ({ file, room: roomOf(file), text: readFileSync(path.join(ROOT, file), 'utf8') }));
}
