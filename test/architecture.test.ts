import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MAX_LINES = 300;

interface Room {
  readonly storey: number;
  /** Rooms that it imports besides itself. */
  readonly imports: readonly string[];
}

/** The table of docs/architecture.md. */
const ROOMS: Readonly<Record<string, Room>> = roomsOf(readFileSync(path.join(ROOT, 'docs/architecture.md'), 'utf8'));

/** Packages that a room may import; absent: any that the project depends on. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  types: [],
  'errors.ts': [],
  'version.ts': [],
  random: [],
  stats: [],
  text: ['get-east-asian-width', 'fastest-levenshtein'],
  values: ['re2js'],
  schema: [],
  faithfulness: [],
  plugin: [],
  public: [],
  'index.ts': [],
  vitest: ['vitest'],
  cli: ['commander', 'log-update', 'chokidar'],
};

/** Files that a folder may have, its own folders aside; a folder with more is to be cut into folders of its parts. */
const MAX_FILES = 50;

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
  'mutations',
  'checks',
  'judges',
  'faithfulness',
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

test('a row names only rooms that are imported', () => {
  const used = new Set(
    FILES.flatMap((source) => roomsImported(source).map(({ other }) => `${source.room} → ${other}`)),
  );
  const named = Object.entries(ROOMS).flatMap(([room, { imports }]) => imports.map((other) => `${room} → ${other}`));
  expect(named.filter((arrow) => !used.has(arrow))).toEqual([]);
});

test(`no folder has more than ${MAX_FILES} files`, () => {
  const counts = new Map<string, number>();
  for (const { file } of FILES) counts.set(path.posix.dirname(file), (counts.get(path.posix.dirname(file)) ?? 0) + 1);
  const crowded = [...counts].filter(([, count]) => count > MAX_FILES);
  expect(crowded).toEqual([]);
});

test('CONTRIBUTING.md names every room', () => {
  const text = readFileSync(path.join(ROOT, 'CONTRIBUTING.md'), 'utf8');
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

test('no file imports itself by way of others, types included', () => {
  const paths: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, way: readonly string[]): void => {
    if (way.includes(file)) paths.push([...way.slice(way.indexOf(file)), file].join(' → '));
    if (done.has(file) || way.includes(file)) return;
    for (const next of importedBy(file)) visit(next, [...way, file]);
    done.add(file);
  };
  for (const { file } of FILES) visit(file, []);
  expect(paths).toEqual([]);
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

test('a name says what a thing is, not in which state it is', () => {
  const declared =
    /\b(?:const|let|function|class|readonly)\s+(?:known|given|kept|told)\b|[(,]\s*(?:known|given|kept|told)\s*(?:[:,)]|=>)/;
  const states = FILES.flatMap(({ file, text }) =>
    codeLines(text).flatMap(({ line, code }) => (declared.test(code) ? [`${file}:${line} ${code.trim()}`] : [])),
  );
  // `known` is a key of session files: what a user of the session knows.
  const facts =
    /^src\/(?:types\/sessions\/session-user|types\/definitions\/agent-task|sessions\/user\/.*|generators\/families\/.*)\.ts:/;
  expect(states.filter((state) => !facts.test(state))).toEqual([]);
});

test('in the command line one file writes, and what it writes passes the sanitiser', () => {
  const writers = FILES.filter(({ room, text }) => {
    const writes = /\bconsole\s*\.|\bstd(?:out|err)\s*\.\s*write\b|\bwriteSync\b/;
    return room === 'cli' && codeLines(text).some(({ code }) => writes.test(code));
  });
  // What descriptors are written to with is below the terminal.
  expect(writers.map(({ file }) => file)).toEqual(['src/cli/open-output.ts', 'src/cli/terminal.ts']);
});

const TEXTS: ReadonlyMap<string, string> = new Map(FILES.map(({ file, text }) => [file, text]));

/** The files of the project that a file imports. */
function importedBy(file: string): readonly string[] {
  const targets = importsOf(TEXTS.get(file) ?? '').map(({ specifier }) =>
    path.posix.join(path.posix.dirname(file), specifier),
  );
  return [...new Set(targets)].filter((target) => TEXTS.has(target));
}

function forbiddenImports(source: SourceFile): readonly string[] {
  const { file, room, text } = source;
  const row = ROOMS[room];
  if (row === undefined) return [];
  const allowed = PACKAGES[room];
  const packages = importsOf(text).flatMap(({ line, specifier }) => {
    if (specifier.startsWith('node:') || specifier.startsWith('.')) return [];
    const name = packageName(specifier);
    if (allowed === undefined || allowed.includes(name)) return [];
    return [`${file}:${line}: ${room} may not import the package ${name}; its row allows ${listed(allowed)}`];
  });
  const rooms = roomsImported(source).flatMap(({ line, target, other }) => {
    if (row.imports.includes(other)) return [];
    const allows = `its row allows ${listed(row.imports)}`;
    return [`${file}:${line}: ${room} (storey ${row.storey}) may not import ${target}; ${allows}`];
  });
  return [...packages, ...rooms];
}

/** The imports of a file that lead to other rooms. */
function roomsImported({ file, room, text }: SourceFile) {
  return importsOf(text).flatMap(({ line, specifier }) => {
    if (!specifier.startsWith('.')) return [];
    const target = path.posix.join(path.posix.dirname(file), specifier);
    const other = roomOf(target);
    return other === room ? [] : [{ line, target, other }];
  });
}

/** Rooms by name from rows such as "| 1 | `gate/` | what lives there | types, stats |"; a dash stands for no imports. */
function roomsOf(page: string): Readonly<Record<string, Room>> {
  const rows = [...page.matchAll(/^\| (\d) \| `([^`]+)`[^|]* \|[^|]*\| ([^|]*) \|$/gm)].map(
    ([, storey, name = '', imports = '']) => {
      const room = { storey: Number(storey), names: imports === '–' ? [] : imports.split(', ') };
      return [name.replace(/\/$/, ''), room] as const;
    },
  );
  const names = rows.map(([name]) => name);
  // A file is imported by its name alone.
  const fullName = (name: string): string => (names.includes(`${name}.ts`) ? `${name}.ts` : name);
  return Object.fromEntries(
    rows.map(([name, { storey, names: imports }]) => [name, { storey, imports: imports.map(fullName) }]),
  );
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
