import type { Places } from '../../scenario/places.ts';
import { checkSchema } from '../../source/check-schema.ts';
import { hiddenProblem } from '../../source/hidden-problem.ts';
import { displayName, readSource } from '../../source/source-file.ts';
import { parseToml, type SourceDocument } from '../../source/toml-document.ts';
import type { Issue } from '../../types/issue.ts';
import type { DeclaredWorld } from '../../types/session.ts';
import { tableAt, textAt } from '../../workflow/raw-data.ts';
import { collectIssues, toIssue } from '../../workflow/report.ts';
import { namedFile } from './named-file.ts';
import { readWorld } from './read-world.ts';
import { worldFileSchema } from './world-schema.ts';

/** A world, or null with the reasons among the issues. */
export interface LoadedWorld {
  readonly world: DeclaredWorld | null;
  readonly issues: readonly Issue[];
}

const AT = ['session', 'world'];

/** The world of a file of tasks: that which it names, else its own. The file's own schema has been checked. */
export function loadWorld(document: SourceDocument, places: Places): LoadedWorld {
  const named = textAt(tableAt(document.data, 'session'), 'world');
  if (named === undefined) return read(document, []);
  const own = ['state', 'tools'].filter((key) => Object.hasOwn(document.data, key));
  const doubled = own.map((key) =>
    toIssue(
      { code: 'unused_key', message: `"${key}" stands in the world file as well.`, at: [key], part: 'key' },
      document.locate,
    ),
  );
  if (doubled.length > 0) return { world: null, issues: doubled };
  let file: string | null = null;
  const missing = collectIssues(document.locate, (report) => {
    file = namedFile({ name: named, at: AT, noun: 'world file', code: 'missing_world' }, places, report);
  });
  if (file === null) return { world: null, issues: missing };
  const loaded = loadWorldFile(file, places);
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
  return read(document, checkSchema(document, [], worldFileSchema));
}

function read(document: SourceDocument, schemaIssues: readonly Issue[]): LoadedWorld {
  if (schemaIssues.length > 0) return { world: null, issues: schemaIssues };
  let world: DeclaredWorld | null = null;
  const issues = collectIssues(document.locate, (report) => {
    world = readWorld(document.data, report);
  });
  return { world: issues.some(({ severity }) => severity === 'error') ? null : world, issues };
}
