import { digestOf } from '../records/plan-digest.ts';
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
export function subjectHash(scenarios: readonly Scenario[]): string {
  const subjects = subjectHashes(scenarios);
  return hashOfSubjects(subjects.length > 0 ? subjects : hashesOf(scenarios));
}

/** The identity of what is tried, from that of each part, in order. */
export function hashOfSubjects(subjects: readonly string[]): string {
  return digestOf(subjects.join('\n'));
}

/** The same one by one, in order. Recorded runs say of nothing that it is tried. */
export function subjectHashes(scenarios: readonly Scenario[]): readonly string[] {
  return hashesOf(scenarios.filter(({ subject }) => !factsOf(subject).isRecorded));
}

function hashesOf(scenarios: readonly Scenario[]): readonly string[] {
  return [...new Set(scenarios.map(({ subject }) => contentHash(factsOf(subject).tried(subject) as Json)))].sort();
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
