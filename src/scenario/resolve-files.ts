import { hintFor } from '../text/did-you-mean.ts';
import { isTable } from '../source/json-schema.ts';
import { snakeCase } from '../source/snake-case.ts';
import { displayName } from '../source/source-file.ts';
import type { Pointer } from '../source/place-tree.ts';
import type { Issue } from '../types/issue.ts';
import type { ChildUse } from '../plugin/node-type.ts';
import type { Json, JsonObject } from '../types/json.ts';
import type { Workflow, WorkflowNode } from '../types/workflow.ts';
import { textAt, valueAt } from '../workflow/raw-data.ts';
import { type Found, toIssue } from '../workflow/report.ts';
import { type LoadedWorkflow, loadWorkflowFile, type WorkflowPlaces } from './load-workflow.ts';
import { findFile } from './places.ts';
import { readSchema } from './read-schema.ts';
import type { RegistryView } from './registry-view.ts';

/** A workflow whose nodes name children by key and hold their JSON Schemas, with all children. */
export interface ResolvedWorkflow {
  readonly workflow: Workflow;
  /** By the child's name relative to the root. */
  readonly children: ReadonlyMap<string, LoadedWorkflow>;
  readonly issues: readonly Issue[];
}

/** Loads every file that the nodes of a workflow and of its children name, each once, however they call each other. */
export function resolveFiles(root: LoadedWorkflow, places: WorkflowPlaces, registry: RegistryView): ResolvedWorkflow {
  const resolution = new Resolution(places, registry);
  const workflow = resolution.resolve(root);
  return { workflow, children: resolution.resolveChildren(), issues: resolution.issues };
}

class Resolution {
  readonly issues: Issue[] = [];
  private readonly places: WorkflowPlaces;
  private readonly registry: RegistryView;
  /** In the order in which they are first named; null: cannot be used. */
  private readonly children = new Map<string, LoadedWorkflow | null>();

  constructor(places: WorkflowPlaces, registry: RegistryView) {
    this.places = places;
    this.registry = registry;
  }

  resolve(loaded: LoadedWorkflow): Workflow {
    const { workflow } = loaded;
    const nodes = workflow.nodes.map((node, index) => this.resolveNode(loaded, node, index));
    return nodes.every((node, index) => node === workflow.nodes[index]) ? workflow : withKey(workflow, 'nodes', nodes);
  }

  resolveChildren(): ReadonlyMap<string, LoadedWorkflow> {
    const resolved = new Map<string, LoadedWorkflow>();
    // Children that are found on the way join the end of this very map.
    for (const [key, child] of this.children) {
      if (child !== null) resolved.set(key, { ...child, workflow: this.resolve(child) });
    }
    return resolved;
  }

  private resolveNode(by: LoadedWorkflow, node: WorkflowNode, index: number): WorkflowNode {
    const at: Pointer = ['nodes', index];
    const nodeType = this.registry.nodeTypeOf(node.type);
    const uses = nodeType?.children?.(node.config) ?? [];
    const config = uses.reduce(
      (whole, use) => withTableAt(whole, use.at, (table) => this.resolveChild(by, node, table, [...at, ...use.at])),
      node.config,
    );
    const resolved = config === node.config ? node : withKey(node, 'config', config);
    return nodeType?.schemaKey === undefined ? resolved : this.resolveSchema(by, resolved, at, nodeType.schemaKey);
  }

  private resolveChild(by: LoadedWorkflow, node: WorkflowNode, table: JsonObject, at: Pointer): JsonObject {
    const name = textAt(table, 'workflow') ?? '';
    const report = (found: Found) => this.issues.push(toIssue(found, by.locate));
    const file = findFile(name, this.places, by.folder);
    if (file === null) {
      report({
        code: 'missing_child_workflow',
        message: `Node "${node.id}" runs workflow "${name}", but there is no such file.`,
        at: [...at, 'workflow'],
        hint: 'Paths start at the folder of the scenario file; the working directory is tried last.',
      });
      return table;
    }
    const key = displayName(file.path, this.places.root);
    if (file.climbsTooFar) {
      report({
        code: 'path_climbs_too_far',
        severity: 'warning',
        message: `Node "${node.id}" runs workflow "${name}", which is not there; "${key}", fewer folders up, is taken instead.`,
        at: [...at, 'workflow'],
        hint: 'Correct the path: the scenario seems to have moved.',
      });
    }
    const child = this.childAt(file.path, key);
    if (child === null) {
      report({
        code: 'invalid_child_workflow',
        message: `Node "${node.id}" runs workflow "${key}", which has errors of its own.`,
        at: [...at, 'workflow'],
        hint: 'Correct the errors shown for that file.',
      });
      return table;
    }
    const starts = child.workflow.startNodes.map((start) => start.name);
    const start = textAt(table, 'start');
    if (start !== undefined ? !starts.includes(start) : starts.length === 0) {
      report({
        code: 'unknown_child_start',
        message:
          start === undefined
            ? `Node "${node.id}" runs workflow "${key}", which has no start node.`
            : `Node "${node.id}" starts workflow "${key}" at "${start}", which it does not declare.`,
        at: [...at, start === undefined ? 'workflow' : 'start'],
        hint: () => (start === undefined ? 'Declare one with [[start_nodes]].' : hintFor(start, starts, 'start nodes')),
      });
    }
    return { ...table, workflow: key };
  }

  private childAt(path: string, key: string): LoadedWorkflow | null {
    const child = this.children.get(key);
    if (child !== undefined) return child;
    const { loaded, issues } = loadWorkflowFile(path, this.places, this.registry);
    this.issues.push(...issues);
    this.children.set(key, loaded);
    return loaded;
  }

  private resolveSchema(by: LoadedWorkflow, node: WorkflowNode, at: Pointer, key: string): WorkflowNode {
    const written = valueAt(node.config, key);
    if (typeof written !== 'string' && !isTable(written)) return node;
    const withSchema = (schema: JsonObject) => withKey(node, 'config', withKey(node.config, key, schema));
    if (written === 'inline') return withSchema(ANY_JSON);
    const found = readSchema(written, { places: this.places, registry: this.registry, namingFolder: by.folder });
    switch (found.kind) {
      case 'schema':
        return withSchema({ kind: 'schema', schema: found.schema });
      case 'bad':
        this.issues.push(
          toIssue(
            {
              code: 'bad_json_schema',
              message: `Node "${node.id}": ${found.problem}`,
              at: [...at, snakeCase(key)],
              hint: 'Patterns must be searchable in linear time (RE2 syntax), and references must stay inside the schema.',
            },
            by.locate,
          ),
        );
        return node;
      case 'unreadable':
        this.issues.push(
          toIssue(
            {
              code: 'unread_output_schema',
              severity: 'warning',
              message: `Node "${node.id}": ${found.problem} The answer only has to be JSON.`,
              at: [...at, snakeCase(key)],
              hint: 'Name a JSON Schema file relative to the scenario file, write a table, or write "inline" for any JSON.',
            },
            by.locate,
          ),
        );
        return withSchema(ANY_JSON);
    }
  }
}

/** A copy in which the table at a place of a configuration is another one. */
function withTableAt(whole: JsonObject, at: ChildUse['at'], change: (table: JsonObject) => JsonObject): JsonObject {
  const replaced = (value: Json | undefined, place: ChildUse['at']): Json => {
    const [key, ...rest] = place;
    if (key === undefined) return isTable(value) ? change(value) : (value ?? null);
    if (Array.isArray(value)) return value.with(Number(key), replaced(value[Number(key)] as Json, rest));
    return isTable(value) ? { ...value, [key]: replaced(value[key], rest) } : (value ?? null);
  };
  return replaced(whole, at) as JsonObject;
}

/** A copy with another value under one of its keys. V8 gives each object that begins with a spread part a shape of its own. */
function withKey<T extends object, K extends keyof T>(whole: T, key: K, value: T[K]): T {
  const copy: Partial<T> = {};
  for (const name in whole) copy[name] = whole[name];
  copy[key] = value;
  return copy as T;
}

const ANY_JSON: JsonObject = Object.freeze({ kind: 'json' });
