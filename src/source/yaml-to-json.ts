import type { Alias, Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import type { Issue, Location } from '../types/issue.ts';
import type { Json, JsonObject } from '../types/json.ts';
import { locationAt } from './location-at.ts';
import { newPlace, type Place, type Range } from './place-tree.ts';
import type { SourceFile } from './source-file.ts';
import { integerTooLarge, MAX_NESTING, tooDeep, unsafeKey } from './toml-to-json.ts';
import { plainScalar, taggedScalar, type YamlValue } from './yaml-scalar.ts';

/** Problems of one text that are listed; the rest would be more of the same. */
const MAX_ISSUES = 20;

/** Values that aliases may add in all: a few lines could stand for more than fits into memory. */
const MOST_EXPANDED = 10_000;

const TAGS = 'tag:yaml.org,2002:';

/** Tests for kinds of nodes; passed in, so that their package is loaded only where there is YAML. */
export interface YamlKinds {
  isAlias(node: unknown): node is Alias;
  isMap(node: unknown): node is YAMLMap<unknown, unknown>;
  isScalar(node: unknown): node is Scalar;
  isSeq(node: unknown): node is YAMLSeq<unknown>;
}

export interface YamlData {
  readonly data: Json;
  readonly root: Place;
  /** Errors: what cannot be data. Warnings: keys that stand twice. */
  readonly issues: readonly Issue[];
}

/** The nodes of one document as plain JSON, with the place of each key and value. Aliases and merge keys are followed. */
export function yamlToJson(contents: unknown, source: SourceFile, kinds: YamlKinds): YamlData {
  const reader = new YamlReader(source, kinds);
  const root = newPlace([0, 0], [0, source.text.length]);
  const data = reader.toJson(contents, root, 0);
  return { data, root, issues: reader.issues };
}

class YamlReader {
  readonly issues: Issue[] = [];
  private readonly source: SourceFile;
  private readonly kinds: YamlKinds;
  private readonly anchors = new Map<string, unknown>();
  private readonly open = new Set<unknown>();
  /** The outermost alias that is being followed. */
  private outermost: unknown = null;
  private aliases = 0;
  private expanded = 0;

  constructor(source: SourceFile, kinds: YamlKinds) {
    this.source = source;
    this.kinds = kinds;
  }

  toJson(node: unknown, place: Place, depth: number): Json {
    const { kinds } = this;
    if (this.aliases > 0 && ++this.expanded > MOST_EXPANDED) return this.refuseExpansion();
    if (kinds.isAlias(node)) return this.followed(node, null, (target) => this.toJson(target, place, depth));
    this.remember(node);
    if (depth > MAX_NESTING) return this.refuse(tooDeep(this.at(node)));
    if (kinds.isMap(node)) return this.within(node, () => this.toTable(node, place, depth));
    if (kinds.isSeq(node)) return this.within(node, () => this.toList(node, place, depth));
    return kinds.isScalar(node) ? this.toScalar(node) : null;
  }

  private toTable(node: YAMLMap<unknown, unknown>, place: Place, depth: number): JsonObject {
    this.checkTag(node, 'map');
    const table: Record<string, Json> = {};
    const keys = new Set<string>();
    // What is merged gives way to what is written, wherever it stands.
    for (const pair of node.items) if (this.isMerge(pair)) this.merge(pair.value, table, place, depth);
    for (const pair of node.items) {
      if (this.isMerge(pair)) continue;
      const key = this.keyOf(pair);
      if (key === null) continue;
      if (keys.has(key)) this.tellDouble(key, pair);
      keys.add(key);
      // The last one stands where it was written, not where it is first read.
      delete table[key];
      const range = this.rangeOf(pair.key);
      const inner = newPlace(range, pair.value === null ? range : this.rangeOf(pair.value, range));
      place.children.set(key, inner);
      table[key] = this.toJson(pair.value, inner, depth + 1);
    }
    return table;
  }

  private toList(node: YAMLSeq<unknown>, place: Place, depth: number): readonly Json[] {
    this.checkTag(node, 'seq');
    return node.items.map((item, index) => {
      const range = this.rangeOf(item, place.value);
      const inner = newPlace(range, range);
      place.children.set(index, inner);
      return this.toJson(item, inner, depth + 1);
    });
  }

  private toScalar(node: Scalar): Json {
    const text = typeof node.value === 'string' ? node.value : '';
    const tag = node.tag;
    const isPlain = node.type === 'PLAIN' || node.type === undefined;
    let value: YamlValue | undefined = text;
    if (tag !== undefined && tag !== '!') {
      value = tag.startsWith(TAGS) ? taggedScalar(tag.slice(TAGS.length), text) : undefined;
      if (value === undefined) return this.refuse(this.badTag(tag, node));
    } else if (isPlain && tag === undefined) value = plainScalar(text);
    return typeof value === 'bigint' ? this.refuse(integerTooLarge(value, this.at(node))) : value;
  }

  private isMerge({ key }: Pair<unknown, unknown>): boolean {
    return this.kinds.isScalar(key) && key.value === '<<' && key.type === 'PLAIN';
  }

  private merge(value: unknown, table: Record<string, Json>, place: Place, depth: number): void {
    if (this.kinds.isAlias(value)) {
      this.followed(value, null, (target) => {
        this.mergeFrom(target, value, table, place, depth);
        return null;
      });
    } else this.mergeFrom(value, value, table, place, depth);
  }

  private mergeFrom(from: unknown, at: unknown, table: Record<string, Json>, place: Place, depth: number): void {
    if (this.kinds.isSeq(from)) {
      // The first of several wins.
      for (const item of [...from.items].reverse()) this.merge(item, table, place, depth);
      return;
    }
    const inner = newPlace(place.key, place.value);
    const merged = this.kinds.isMap(from) ? this.toJson(from, inner, depth) : null;
    if (merged === null || typeof merged !== 'object' || Array.isArray(merged)) {
      this.refuse(this.issue('bad_merge', 'Only tables can be merged with "<<".', this.at(at), MERGE_HINT));
      return;
    }
    Object.assign(table, merged);
    for (const [key, child] of inner.children) place.children.set(key, child);
  }

  private followed(alias: Alias, otherwise: Json, read: (target: unknown) => Json): Json {
    const name = alias.source;
    const refuse = (code: string, message: string, hint: string): Json => {
      this.refuse(this.issue(code, message, this.at(alias), hint));
      return otherwise;
    };
    if (!this.anchors.has(name))
      return refuse('unknown_alias', `Nothing is called "&${name}" before this place.`, ALIAS_HINT);
    const target = this.anchors.get(name);
    if (this.open.has(target))
      return refuse('endless_alias', `"*${name}" stands inside of what it stands for.`, ALIAS_HINT);
    if (this.aliases++ === 0) this.outermost = alias;
    const value = read(target);
    this.aliases--;
    return value;
  }

  /** While aliases are followed nothing is anchored again. */
  private remember(node: unknown): void {
    if (this.aliases > 0 || typeof node !== 'object' || node === null) return;
    const { anchor } = node as { readonly anchor?: string };
    if (anchor !== undefined) this.anchors.set(anchor, node);
  }

  private within<T>(node: unknown, read: () => T): T {
    this.open.add(node);
    const value = read();
    this.open.delete(node);
    return value;
  }

  private keyOf({ key }: Pair<unknown, unknown>): string | null {
    let node = key;
    if (this.kinds.isAlias(node)) node = this.anchors.get(node.source);
    this.remember(node);
    if (node === null || (this.kinds.isScalar(node) && typeof node.value === 'string')) {
      const text = node === null ? '' : (node.value as string);
      if (text !== '__proto__') return text;
      return this.refuse(unsafeKey(this.at(key)));
    }
    return this.refuse(this.issue('bad_key', 'A key must be a single word or text.', this.at(key), KEY_HINT));
  }

  private tellDouble(key: string, pair: Pair<unknown, unknown>): void {
    const message = `The key "${key.slice(0, 60)}" stands here again; the last one counts.`;
    const issue = this.issue('duplicate_key', message, this.at(pair.key), 'Keep one of them.');
    if (this.issues.length < MAX_ISSUES) this.issues.push({ ...issue, severity: 'warning' });
  }

  private checkTag(node: Node & { tag?: string }, kind: string): void {
    const { tag } = node;
    if (tag !== undefined && tag !== '!' && tag !== TAGS + kind) this.refuse(this.badTag(tag, node));
  }

  private badTag(tag: string, node: unknown): Issue {
    const message = `The tag "${tag.replace(TAGS, '!!').slice(0, 60)}" is not known here, or does not fit its value.`;
    return this.issue('bad_tag', message, this.at(node), 'Leave the tag out, and quote what is text.');
  }

  private refuseExpansion(): null {
    if (this.expanded > MOST_EXPANDED + 1) return null;
    const message = `Aliases of this file stand for more than ${MOST_EXPANDED} values.`;
    return this.refuse(this.issue('too_many_aliases', message, this.at(this.outermost), 'Write out what is needed.'));
  }

  private refuse(issue: Issue): null {
    if (this.issues.length < MAX_ISSUES || !this.issues.some(({ severity }) => severity === 'error')) {
      this.issues.push(issue);
    }
    return null;
  }

  private issue(code: string, message: string, at: Location, hint: string): Issue {
    return { code, severity: 'error', message, at, hint };
  }

  private at(node: unknown): Location {
    return locationAt(this.source, ...this.rangeOf(node));
  }

  private rangeOf(node: unknown, otherwise: Range = [0, 0]): Range {
    const range = typeof node === 'object' && node !== null ? (node as { readonly range?: unknown }).range : undefined;
    if (!Array.isArray(range)) return otherwise;
    const [start, end] = range as readonly number[];
    return start === undefined || end === undefined ? otherwise : [start, Math.max(end, start)];
  }
}

const MERGE_HINT = 'Write `<<: *name` where `&name` stands before a table, or a list of such.';
const ALIAS_HINT = 'Name a value with `&name` first, and write `*name` after it.';
const KEY_HINT = 'Quote the key, or write it out.';
