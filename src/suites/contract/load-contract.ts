import { unloadedDocument } from '../unloaded-document.ts';
import { agentHead } from './agent-head.ts';
import { checkAttacks } from './check-attacks.ts';
import { checkContexts } from './check-contexts.ts';
import { checkToolNames } from './check-tool-names.ts';
import { partAloneIssue } from './contract-documents.ts';
import { contractScenarios } from './contract-scenarios.ts';
import { loadProfiles } from './load-profiles.ts';
import { loadReplays } from './replays/load-replays.ts';
import { type ContractFile, readContractFile } from './read-contract-file.ts';
import { scenarioPart, scenarioPartIssues } from './scenario-part.ts';
import type { LoadedDocument, LoadDocumentOptions } from '../suite-kind.ts';
import { takesPrompt } from '../../values/with-prompt.ts';
import { freezeDeep } from '../../values/freeze-deep.ts';
import { loadScenarioDocument, takesTooMuch, withinReason } from '../../scenario/load-scenario.ts';
import type { RegistryView } from '../../scenario/registry-view.ts';
import type { SourceDocument } from '../../source/toml-document.ts';
import type { Contract } from '../../types/contract.ts';
import type { Issue } from '../../types/issue.ts';
import type { LoadedScenario, Scenario, WorkflowScenario } from '../../types/scenario.ts';
import { tableAt, textAt } from '../../workflow/raw-data.ts';
import { toIssue } from '../../workflow/report.ts';

/** Loads a contract from a document that has been parsed. */
export async function loadContractDocument(
  document: SourceDocument,
  view: RegistryView,
  options: LoadDocumentOptions,
): Promise<LoadedDocument<Contract>> {
  const { data, source } = document;
  const alone = partAloneIssue(document);
  if (alone !== null) return unloadedDocument(source.name, { name: source.name, issues: [alone] });
  const { profiles, issues: ofProfiles } = await loadProfiles(document, options);
  const replays = await loadReplays(document, {
    ...options,
    importers: view.importers ?? new Map(),
    step: options.step ?? (() => undefined),
    plugins: view,
  });
  const read = withinReason(() =>
    readContractFile(document, {
      places: options,
      profiles,
      sessions: replays.sessions,
      plugins: view,
    }),
  );
  const { found, issues: contractIssues } = read ?? { found: null, issues: [takesTooMuch(source.name)] };
  const isWorkflow = Object.hasOwn(data, 'workflow');
  const loaded = isWorkflow ? loadScenarioDocument(scenarioPart(document), view, options) : null;
  const bound = {
    workflow: loaded?.ok === true ? loaded.scenario : undefined,
    nodeTypeOf: (type: string) => view.nodeTypeOf(type),
  };
  const issues = [
    ...contractIssues,
    ...ofProfiles,
    ...replays.issues,
    ...scenarioPartIssues(document),
    // Its invariants say what must hold.
    ...(loaded?.issues.filter(({ code }) => code !== 'asserts_nothing') ?? []),
    ...(found !== null && loaded?.ok === true ? payloadIssues(document, found, loaded.scenario) : []),
    ...(loaded?.ok !== false ? checkContexts(document, loaded?.scenario.subject.workflow) : []),
    ...(found !== null && loaded?.ok !== false ? checkToolNames(document, found.contracts, bound) : []),
    ...(found !== null && loaded?.ok === true ? checkAttacks(document, found.contracts, bound) : []),
  ];
  const isSound = !issues.some(({ severity }) => severity === 'error');
  if (found === null || !isSound || loaded?.ok === false) {
    const name = textAt(tableAt(data, 'contract'), 'name') ?? source.name;
    return unloadedDocument(source.name, { name, trials: 1, issues });
  }
  const scenarios = found.contracts.flatMap((contract) => expand(contract, found, loaded?.scenario, document));
  const rows = scenarios.map((scenario, index): LoadedScenario => {
    return { ok: true, file: source.name, scenario: freezeDeep(scenario), issues: index === 0 ? issues : [] };
  });
  return { rows, definitions: freezeDeep(found.contracts), notRun: notRunIn(found), issues };
}

/** What a file asks for that passk does not run, one sentence each. */
function notRunIn({ unsupported }: ContractFile): readonly string[] {
  return (
    unsupported
      // The reference asks it for mutations alone.
      .filter(({ name }) => name !== 'model')
      .map(({ name, at, message }) => `${name} (${at.file}:${at.line}): ${message}`)
  );
}

function expand(
  contract: Contract,
  file: ContractFile,
  workflow: WorkflowScenario | undefined,
  { data }: SourceDocument,
): readonly Scenario[] {
  const { subject } = contract;
  const base = subject.kind === 'agent' ? agentHead(contract, subject.agent, data) : workflow;
  if (base === undefined) return [];
  return contractScenarios(contract, { ...base, seed: base.seed ?? file.seed }, file.promptKey);
}

/** A prompt goes into a table of the payload, and must not take the place of what is written there. */
function payloadIssues(document: SourceDocument, file: ContractFile, base: WorkflowScenario): readonly Issue[] {
  const isAsked = file.contracts.some(
    ({ prompts, invariants }) => prompts.length > 0 || invariants.some(({ probes }) => probes.length > 0),
  );
  if (!isAsked || takesPrompt(base.subject.trigger.payload, file.promptKey)) return [];
  const found = {
    code: 'bad_trigger_payload',
    message: `The prompt cannot be put into the payload as "${file.promptKey.join('.')}": there is no table.`,
    at: ['trigger', 'payload'],
    hint: 'Write the payload as a table, or name another place with prompt_key in [contract].',
  };
  return [toIssue(found, document.locate)];
}
