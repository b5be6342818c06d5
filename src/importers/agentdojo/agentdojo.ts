import { ImportError, type ImporterType, type ImportSource, type SourceHead } from '../../plugin/importer-type.ts';
import type { RecordedAttack } from '../../types/sessions/recorded-attack.ts';
import { fieldAt, textAt } from '../../values/json-fields.ts';
import { headJson } from '../head-json.ts';
import { jsonPlaces } from '../json-places.ts';
import { readCell, SEMANTICS, type View } from './read-cell.ts';

/** Files of a folder whose first bytes are read to detect the format. */
const LOOKED_AT = 100;

/**
 * Runs of AgentDojo, a file each. A run under attack has two verdicts, whether the user's task was done and whether the
 * attack was resisted, and is a trial of two sets.
 */
export const agentdojo: ImporterType = {
  kind: 'importer',
  type: 'agentdojo',
  summary: 'Runs of AgentDojo: a folder of PIPELINE/SUITE/USER_TASK/ATTACK/INJECTION_TASK.json.',
  options: {
    semantics: `${SEMANTICS.join(' or ')}: whether runs that ended by an error count as AgentDojo counts them`,
  },
  detects(source) {
    return jsonFiles(source.files)
      .slice(0, LOOKED_AT)
      .some((file) => isCell(source.head(file)));
  },
  *index(source, index, { semantics = 'honest' }) {
    if (!SEMANTICS.some((one) => one === semantics)) {
      throw new ImportError(`"semantics" is "${semantics}": write ${SEMANTICS.join(' or ')}.`);
    }
    for (const file of jsonFiles(source.files)) {
      if (source.files.length > 1 && !isCell(source.head(file))) continue;
      const head = yield* headOf(source, file);
      const piece = { file, from: 0, to: source.files[file]?.bytes ?? 0 };
      for (const view of viewsOf(head)) index.set(setName(head, view)).add(piece);
    }
  },
  attackOf: attackIn,
  read([piece], { set, options: { semantics = 'honest' } }) {
    return readCell(piece, viewIn(set), semantics === 'upstream');
  },
};

function jsonFiles(files: SourceHead['files']): readonly number[] {
  return [...files.keys()].filter((at) => files.length === 1 || files[at]?.name.endsWith('.json'));
}

function isCell(head: Uint8Array): boolean {
  const { root, keys } = headJson(head);
  const fields = ['suite_name', 'pipeline_name', 'user_task_id', 'injection_task_id', 'attack_type'];
  return root === 'object' && fields.every((key) => keys.has(key));
}

/** The fields of a file without its messages. The version of the benchmark stands after the messages. */
function* headOf(source: ImportSource, file: number): Generator<void, unknown> {
  try {
    const { text, cut } = yield* jsonPlaces({
      read: (from, to) => source.read(file, from, to),
      bytes: source.files[file]?.bytes ?? 0,
      paths: [['messages'], ['injections']],
      found: () => undefined,
    });
    if (cut === null) return JSON.parse(text.replace(/^\ufeff/, '')) as unknown;
  } catch (error) {
    // Reading the run gives the error again, with its place.
    if (!(error instanceof ImportError) && !(error instanceof SyntaxError)) throw error;
  }
  return headJson(source.head(file)).values;
}

/** The end of the name of a set. */
const ENDS: Readonly<Record<View, string>> = {
  benign: 'benign utility',
  injection: 'injection tasks alone',
  utility: 'utility under attack',
  resisted: 'attack resisted',
};

function viewsOf(head: unknown): readonly View[] {
  if (textAt(head, 'attack_type') !== null) return ['utility', 'resisted'];
  // AgentDojo also runs the task of an attack as a user's task, to see whether a pipeline can do it at all.
  return (textAt(head, 'user_task_id') ?? '').startsWith('injection_task') ? ['injection'] : ['benign'];
}

function setName(head: unknown, view: View): string {
  const version = fieldAt(head, 'benchmark_version');
  const parts = [
    textAt(head, 'pipeline_name'),
    typeof version === 'string' ? version : null,
    textAt(head, 'attack_type'),
  ].filter((part) => part !== null);
  return `${parts.join(', ')}: ${ENDS[view]}`;
}

/** What a set tells of attacks, by its name. What AgentDojo injects stands in what tools give. */
function attackIn(set: string): RecordedAttack | null {
  const view = viewIn(set);
  const agent = set.slice(0, -`: ${ENDS[view]}`.length);
  if (view === 'injection') return null;
  if (view === 'benign') return { agent, tells: 'benign' };
  return { agent, tells: view, channel: 'tool_output', benign: agent.slice(0, agent.lastIndexOf(', ')) };
}

function viewIn(set: string): View {
  return (Object.keys(ENDS) as View[]).find((view) => set.endsWith(`: ${ENDS[view]}`)) ?? 'benign';
}
