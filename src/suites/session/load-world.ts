import { namedCode } from '../../scenario/objects/named-code.ts';
import type { Places } from '../../scenario/places.ts';
import { checkSchema } from '../../source/check-schema.ts';
import { hiddenProblem } from '../../source/hidden-problem.ts';
import { displayName, readSource } from '../../source/source-file.ts';
import { parseToml, type SourceDocument } from '../../source/toml-document.ts';
import type { DeclaredWorld } from '../../types/sessions/declared-world.ts';
import { tableAt, textAt } from '../../workflow/raw-data.ts';
import { collectIssues, toIssue } from '../../workflow/report.ts';
import { fromRoot, namedFile } from '../../scenario/files/named-file.ts';
import type { LoadedWorld } from './loaded-world.ts';
import { loadRecordedTools } from './load-recorded-tools.ts';
import { readWorld } from './read-world.ts';
import { worldFileSchema } from './world-schema.ts';
import { WrongParts } from './wrong-parts.ts';

const AT = ['session', 'world'];
const WORLD_KEYS = ['state', 'tools'];
const MODULE = /\.[cm]?[jt]s$/;

/** The world of a file of tasks: that which it names, else its own. What is `wrong` in the file itself has been told. */
export function loadWorld(document: SourceDocument, wrong: WrongParts, places: Places): LoadedWorld {
  const object = namedCode(document, AT, places);
  const named = textAt(tableAt(document.data, 'session'), 'world');
  if (object === null && named === undefined) return read(document, wrong);
  const doubled = WORLD_KEYS.filter((key) => Object.hasOwn(document.data, key)).map((key) =>
    toIssue(
      {
        code: 'unused_key',
        message: `"${key}" stands in the world${object === null ? ' file' : ''} as well.`,
        at: [key],
        part: 'key',
      },
      document.locate,
    ),
  );
  if (doubled.length > 0) return { world: null, issues: doubled };
  if (named !== undefined) return loadNamed(document, named, places);
  return { world: null, ...(object !== null && { code: { code: object } }), issues: [] };
}

function loadNamed(document: SourceDocument, named: string, places: Places): LoadedWorld {
  let file: string | null = null;
  const missing = collectIssues(document.locate, (report) => {
    file = namedFile({ name: named, at: AT, noun: 'world file', code: 'missing_world' }, places, report);
  });
  if (file === null) return { world: null, issues: missing };
  // What it holds is known where trials run: loading a file runs nobody's code.
  if (MODULE.test(named)) return { world: null, code: { file: fromRoot(file, places) }, issues: [] };
  const loaded = /\.json$/.test(named) ? loadRecordedTools(file, places) : loadWorldFile(file, places);
  if (loaded.world !== null) return loaded;
  const message = `World "${displayName(file, places.root)}" has errors.`;
  const hint = 'Correct the errors shown for that file.';
  const invalid = toIssue({ code: 'invalid_world', message, at: AT, hint }, document.locate);
  return { world: null, issues: [...loaded.issues, invalid] };
}

function loadWorldFile(path: string, places: Places): LoadedWorld {
  const found = readSource(path, places);
  if (!found.ok) return { world: null, issues: found.issues };
  const parsed = parseToml(found.source);
  if (!parsed.ok) return { world: null, issues: [hiddenProblem(found.source, 'valid TOML', parsed.issues)] };
  const { document } = parsed;
  if (!Object.hasOwn(document.data, 'state') && !Object.hasOwn(document.data, 'tools')) {
    return { world: null, issues: [hiddenProblem(found.source, 'a world, which has a state and tools')] };
  }
  const { world, issues } = read(document, new WrongParts(worldFileSchema, document.data));
  return { world, issues: [...checkSchema(document, [], worldFileSchema), ...issues] };
}

function read(document: SourceDocument, wrong: WrongParts): LoadedWorld {
  let world: DeclaredWorld | null = null;
  const issues = collectIssues(document.locate, (report) => {
    world = readWorld(document.data, wrong.without(report));
  });
  const isSound = !WORLD_KEYS.some((key) => wrong.has([key])) && !issues.some(({ severity }) => severity === 'error');
  return { world: isSound ? world : null, issues };
}
