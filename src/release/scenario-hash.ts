import path from 'node:path';
import { digestOf, identifyModules } from '../records/plan-digest.ts';
import type { Json, JsonObject } from '../types/json.ts';
import type { Scenario } from '../types/scenario.ts';
import { factsOf } from '../types/subjects.ts';
import { canonicalJson } from '../values/canonical-json.ts';

/**
 * The identity of a scenario by what it tries and expects: its name, its file, how often it is tried and who reviewed it may
 * change without it becoming another one.
 */
export function scenarioHash(scenario: Scenario, task: string | null): string {
  const {
    name: _,
    file: __,
    namesInFile: ___,
    description: ____,
    trials: _____,
    isolation: ______,
    ...content
  } = scenario;
  const { origin, ...tried } = content;
  const purpose = origin === undefined ? {} : { suite: origin.suite ?? null, attack: origin.attack ?? null };
  const value = { ...tried, ...purpose, ...(task !== null && { task }) };
  // Scenarios are plain data.
  return contentHash(value as unknown as Json);
}

/** The identity of what is tried, whatever it is tried with; of recorded runs only where there is nothing else. */
export function subjectHash(scenarios: readonly Scenario[], files: Digests = new Map()): string {
  const subjects = subjectHashes(scenarios, files);
  return hashOfSubjects(subjects.length > 0 ? subjects : hashesOf(scenarios));
}

/** The identity of what is tried, from that of each part, in order. */
export function hashOfSubjects(subjects: readonly string[]): string {
  return digestOf(subjects.join('\n'));
}

/**
 * The same one by one, in order. Recorded runs say of nothing that it is tried. `files`: the digests of the files
 * of what is tried; those that are not among them count by name.
 */
export function subjectHashes(scenarios: readonly Scenario[], files: Digests = new Map()): readonly string[] {
  const live = scenarios.filter(({ subject }) => !factsOf(subject).isRecorded);
  return hashesOf(live, files);
}

type Digests = ReadonlyMap<string, string>;

/** The digests of the files of all that is tried, such as agents, by name. `root`: what their names start from. */
export async function triedDigests(scenarios: readonly Scenario[], root: string): Promise<Digests> {
  const names = new Set(scenarios.flatMap((scenario) => factsOf(scenario.subject).triedFiles(scenario)));
  const files = await identifyModules([...names].map((name) => [name, path.resolve(root, name)]));
  return new Map(files.map(({ name, digest }) => [name, digest]));
}

function hashesOf(scenarios: readonly Scenario[], files: Digests = new Map()): readonly string[] {
  return [...new Set(scenarios.map((scenario) => hashOf(scenario, files)))].sort();
}

function hashOf(scenario: Scenario, files: Digests): string {
  const facts = factsOf(scenario.subject);
  const tried = facts.tried(scenario.subject) as Json;
  const digests = facts.triedFiles(scenario).flatMap((file) => files.get(file) ?? []);
  return contentHash(digests.length === 0 ? tried : { tried, modules: digests });
}

/** What canonical JSON has no form for is written as text: large whole numbers, and half a character. */
function canonical(value: Json): Json {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map(canonical);
  const entries = Object.entries(value as JsonObject).filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries.map(([key, item]) => [key.toWellFormed(), canonical(item)]));
}

/** The SHA-256 of a value by its content, whatever the order of its keys. */
export function contentHash(value: Json): string {
  return digestOf(canonicalJson(canonical(value)));
}
