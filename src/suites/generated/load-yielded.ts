import { loadScenarioDocument } from '../../scenario/load-scenario.ts';
import { memoryDocument } from '../../scenario/objects/memory-document.ts';
import type { RegistryView } from '../../scenario/registry-view.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import type { GeneratedPlace } from '../../types/generated/generated-set.ts';
import type { Issue, Location } from '../../types/issue.ts';
import type { JsonObject } from '../../types/json.ts';
import type { LoadedScenario, Scenario } from '../../types/scenario.ts';
import { factsOf } from '../../types/subjects.ts';
import type { DefinitionBase } from '../../types/suite-base.ts';
import { freezeDeep } from '../../values/freeze-deep.ts';
import { contractKind } from '../contract/contract-kind.ts';
import { sessionKind } from '../session/session-kind.ts';
import type { LoadDocumentOptions } from '../suite-kind.ts';
import { conflictsOf, isOfTemplate, mergeTemplate } from './merge-template.ts';

/** The file that generates, and how its documents are loaded. */
export interface Yielding {
  readonly file: SourceDocument;
  /** What it says of each document. */
  readonly template: JsonObject;
  readonly view: RegistryView;
  readonly options: LoadDocumentOptions;
}

/** One generated document as it is run, or why it is none. */
export type Yielded =
  | {
      readonly kind: 'loaded';
      /** As it is loaded: with what the file says beside it. */
      readonly document: JsonObject;
      readonly rows: readonly (LoadedScenario & { readonly ok: true })[];
      readonly definitions: readonly DefinitionBase[];
      readonly notRun: readonly string[];
      /** Warnings. */
      readonly issues: readonly Issue[];
    }
  | { readonly kind: 'invalid'; readonly problem: string }
  /** The file itself is wrong. */
  | { readonly kind: 'file'; readonly issues: readonly Issue[] };

/** Other kinds than scenarios that a generator may give. */
const KINDS = [contractKind, sessionKind];

/** Loads a generated document by the loader of its kind, so that the same is said of it as of a file. */
export async function loadYielded(
  yielded: JsonObject,
  { name, place }: { readonly name: string; readonly place: GeneratedPlace },
  { file, template, view, options }: Yielding,
): Promise<Yielded> {
  const [conflict] = conflictsOf(template, yielded);
  if (conflict !== undefined) {
    const at = file.locate([conflict], 'key');
    const message = `The generator gives "${conflict}" to each scenario.`;
    const issue: Issue = { code: 'conflicting_keys', severity: 'error', message, at, hint: 'Leave it out here.' };
    return { kind: 'file', issues: [issue] };
  }
  const data = mergeTemplate(template, yielded, name);
  const memory = memoryDocument(data, file.source.name);
  const ofFile = new Set<Location>();
  const document: SourceDocument = {
    ...memory.document,
    source: { ...memory.document.source, path: file.source.path },
    locate: (at, part) => {
      if (!isOfTemplate(template, at)) return memory.document.locate(at, part);
      const place = file.locate(at, part);
      ofFile.add(place);
      return place;
    },
  };
  const { rows, definitions, notRun, issues } = await loadAny(document, view, options);
  const errors = issues.filter(({ severity }) => severity === 'error');
  const own = errors.filter(({ at }) => at !== undefined && ofFile.has(at));
  if (own.length > 0) return { kind: 'file', issues: own };
  const reports = memory.withoutPlaces(issues);
  if (errors.length > 0 || rows.some(({ ok }) => !ok)) {
    const sentences = reports.filter(({ severity }) => severity === 'error').map(({ message }) => message);
    return { kind: 'invalid', problem: sentences.slice(0, MOST_TOLD).join(' ') || 'It does not load.' };
  }
  return {
    kind: 'loaded',
    document: data,
    rows: rows.flatMap((row) =>
      row.ok ? [{ ...row, scenario: placed(row.scenario, { name, place, isOwn: options.isOwn === true }) }] : [],
    ),
    definitions,
    notRun,
    issues: reports.map((issue) =>
      issue.at === undefined ? { ...issue, message: `${name}: ${issue.message}` } : issue,
    ),
  };
}

/** Problems of one scenario that are told. */
const MOST_TOLD = 5;

async function loadAny(document: SourceDocument, view: RegistryView, options: LoadDocumentOptions) {
  const kind = KINDS.find((one) => one.detects(document));
  if (kind !== undefined) return (await kind.open()).load(document, view, options);
  const row = loadScenarioDocument(document, view, options);
  return { rows: [row], definitions: [], notRun: [], issues: row.issues };
}

interface Placing {
  readonly name: string;
  readonly place: GeneratedPlace;
  /** True: nobody else sees it, so that it need not be frozen. */
  readonly isOwn: boolean;
}

/** Where the scenario stands in its set; its tags say that it was generated, and how it was changed. */
function placed(scenario: Scenario, { name, place, isOwn }: Placing): Scenario {
  const { relation, original } = place;
  const tags = ['generated', ...(relation === undefined ? [] : [`relation:${relation}`])];
  const made = {
    ...scenario,
    tags: [...new Set([...scenario.tags, ...tags])],
    // What is one of several has a name beside that of its document.
    ...(!factsOf(scenario.subject).isOneOfSeveral && scenario.part === undefined && { case: name }),
    generated: { ...place, ...(original !== undefined && { original: original + scenario.name.slice(name.length) }) },
  };
  return isOwn ? made : freezeDeep(made);
}
