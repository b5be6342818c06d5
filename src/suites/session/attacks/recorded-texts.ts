import type { Places } from '../../../scenario/places.ts';
import type { Pointer } from '../../../source/place-tree.ts';
import { isRecord } from '../../../values/is-json.ts';
import { fieldAt } from '../../../values/json-fields.ts';
import type { AsiId } from '../../../types/release/origin.ts';
import type { SessionAttack } from '../../../types/sessions/attack.ts';
import type { Report } from '../../../workflow/report.ts';
import { namedFile } from '../../../scenario/files/named-file.ts';
import { categoriesOf, type PromptfooCase, promptfooCases } from './promptfoo-cases.ts';
import type { RecordedSources } from './recorded-sources.ts';

export interface RecordedParts {
  /** Name of the attack, and what it says it tries. */
  readonly attack: string;
  readonly owasp: readonly AsiId[];
  readonly at: Pointer;
  readonly places: Places;
  readonly sources: RecordedSources;
  readonly report: Report;
}

/** A text with what is told of it alone. */
export type RecordedText = Pick<SessionAttack, 'payload'> & Partial<Pick<SessionAttack, 'name' | 'owasp'>>;

/** Characters of an attack; longer ones are files in disguise, such as pictures. */
const MOST_CHARACTERS = 50_000;

/**
 * The attacks that another program wrote down: what was injected in a run of AgentDojo, or each case of a red team of
 * promptfoo. []: there is none, which is reported.
 */
export function recordedTexts(name: string, parts: RecordedParts): readonly RecordedText[] {
  const { at, places, sources, report } = parts;
  if (namedFile({ name, at, noun: 'run', code: 'file_missing' }, places, report) === null) return [];
  const source = sources.get(name);
  const found = promptfooCases(source);
  if (found !== null) return redTeam(found.cases, found.left, { ...parts, file: name });
  const texts = injectedIn(source);
  const [payload = ''] = texts ?? [];
  if (texts !== null && texts.length === 1 && payload.trim() !== '') return [{ payload }];
  report({
    code: 'no_payload',
    message:
      texts === null
        ? `"${name}" is no run of AgentDojo, and has no tests of promptfoo.`
        : texts.length > 1
          ? `The run "${name}" has ${texts.length} injected texts, and an attack has one.`
          : `Nothing was injected in the run "${name}".`,
    at,
    hint: 'Name a file that AgentDojo wrote for a user task with an injection task, or tests or results of a red team of promptfoo.',
  });
  return [];
}

/** Each injected text once; null: it is no run. AgentDojo injects one text at every place that its user task reads. */
function injectedIn(run: unknown): readonly string[] | null {
  const injections = fieldAt(run, 'injections');
  if (!isRecord(injections)) return null;
  return [...new Set(Object.values(injections).filter((text) => typeof text === 'string'))];
}

function redTeam(
  all: readonly PromptfooCase[],
  left: number,
  { attack, owasp, at, report, file }: RecordedParts & { readonly file: string },
): readonly RecordedText[] {
  const cases = all.filter(({ payload }) => payload.length <= MOST_CHARACTERS);
  if (cases.length === 0) {
    report({
      code: 'no_payload',
      message: `"${file}" has no attack of a red team of promptfoo.`,
      at,
      hint: 'Name what "promptfoo redteam generate" wrote, or the results of its tests as JSON.',
    });
    return [];
  }
  const unmapped = [...new Set(cases.map(({ plugin }) => plugin).filter((one) => categoriesOf(one).length === 0))];
  const warn = (message: string): void => report({ code: 'recorded_cases', severity: 'warning', message, at });
  if (unmapped.length > 0) {
    warn(`promptfoo has no agentic category for ${unmapped.join(', ')}: cases of it count under ${owasp.join(', ')}.`);
  }
  const first = cases.filter(({ isFirst }) => isFirst).length;
  if (first > 0) warn(`${casesText(first)} of "${file}" is tried as it begins: promptfoo words it anew while it runs.`);
  const skipped = left + all.length - cases.length;
  if (skipped > 0) warn(`${casesText(skipped)} of "${file}" is no attack in words, and is not tried.`);
  const numbers = new Map<string, number>();
  return cases.map(({ payload, plugin, strategy }) => {
    const kind = [plugin, ...(strategy === null ? [] : [strategy])].join(' by ');
    const number = (numbers.get(kind) ?? 0) + 1;
    numbers.set(kind, number);
    const categories = categoriesOf(plugin);
    return {
      name: `${attack}: ${kind} ${number}`,
      payload,
      ...(categories.length > 0 && { owasp: categories }),
    };
  });
}

function casesText(count: number): string {
  return count === 1 ? '1 case' : `Each of ${count} cases`;
}
