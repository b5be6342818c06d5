import { resolve } from 'node:path';
import { isTable } from '../../../source/json-schema.ts';
import type { SourceDocument } from '../../../source/toml-document.ts';
import type { Issue } from '../../../types/issue.ts';
import type { JsonObject } from '../../../types/json.ts';
import { tableAt, tablesAt, textAt } from '../../../workflow/raw-data.ts';
import { toIssue } from '../../../workflow/report.ts';
import { Type } from '../../../source/schema-type.ts';
import { bareContractSchema, contractFileSchema } from '../contract-schema.ts';
import type { NamedPlugins } from '../../../scenario/registry-view.ts';
import { openNamedDocument } from '../open-named-document.ts';
import { readInvariants } from '../read-invariants.ts';
import type { ContractPlaces } from '../reading.ts';
import type { NamedRules, SessionPlace } from './loaded-session.ts';

export interface RulesOptions {
  /** Plug-ins that a rule may name. */
  readonly plugins: NamedPlugins;
}

interface LoadRulesOptions extends RulesOptions, ContractPlaces {
  /** Name of the contract of the file itself; undefined: it has none. */
  readonly ownName: string | undefined;
  readonly issues: Issue[];
}

/**
 * The rules of a contract that a session names by its file: a contract file, or a contract alone. Null: there are none, which
 * is told where the session names them.
 */
export async function loadRules(
  name: string,
  { document: holder, at }: SessionPlace,
  { issues, ownName, plugins, ...places }: LoadRulesOptions,
): Promise<NamedRules | null> {
  const place = holder.locate([...at, 'contract']);
  if (!/\.(?:toml|ya?ml|json)$/.test(name)) {
    const own =
      ownName === undefined ? 'This file has no contract with a name.' : `The contract of this file is "${ownName}".`;
    issues.push({
      code: 'unknown_contract',
      severity: 'error',
      message: `The session is held to a contract "${name}", which nobody knows.`,
      at: place,
      hint: `${own} One of another file is named by the file, such as contracts/safety.yaml.`,
    });
    return null;
  }
  const opened = await openNamedDocument(resolve(places.folder, name), places, {
    what: 'a contract',
    fits: ({ data }) => isTable(data['contract']) || Array.isArray(data['invariants']),
    schema: Type.Union([contractFileSchema, bareContractSchema]),
  });
  issues.push(...opened.issues.map((issue) => ({ ...issue, at: issue.at ?? place })));
  const { document } = opened;
  if (document === null || opened.issues.some(({ severity }) => severity === 'error')) return null;
  const { table, pointer } = contractIn(document);
  const wrong: Issue[] = [];
  const report = (found: Parameters<typeof toIssue>[0]): void => void wrong.push(toIssue(found, document.locate));
  const reading = {
    document,
    places,
    profiles: new Map(),
    report,
    plugins,
  };
  const invariants = readInvariants(table, pointer, reading, { named: true, judged: true });
  issues.push(...wrong);
  if (wrong.some(({ severity }) => severity === 'error')) return null;
  if (tablesAt(table, 'invariants').length === 0) {
    const message = `The contract of ${document.source.name} has no invariants, so nothing can be judged.`;
    issues.push({ code: 'asserts_nothing', severity: 'error', message, at: place });
    return null;
  }
  return { name: textAt(table, 'name') ?? document.source.name, invariants };
}

function contractIn({ data }: SourceDocument): { readonly table: JsonObject; readonly pointer: readonly string[] } {
  return isTable(data['contract'])
    ? { table: tableAt(data, 'contract'), pointer: ['contract'] }
    : { table: data, pointer: [] };
}
