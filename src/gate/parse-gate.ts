import { CELL_NAMES, type Gate, type GateProblem, type GateScope, type GateSide } from '../types/reports/gate.ts';
import { SUITE_NAMES } from '../types/release/origin.ts';
import { asksWhole } from './gate-scope.ts';
import { type GateMetric, METRIC_NAMES, metricNamed, metricNames } from './gate-metrics.ts';
import { createGateScanner, type GateScanner, type Word } from './gate-scanner.ts';
import { gateNumber } from './gate-number.ts';
import { problem, Stop } from './gate-stop.ts';
import { neverPasses } from './never-passes.ts';
import { parseComparison } from './parse-comparison.ts';

/** A gate, or why the text is none. */
export type ParsedGate =
  | { readonly ok: true; readonly gate: Gate }
  | { readonly ok: false; readonly problem: GateProblem };

/** Level of an interval whose gate names none. */
const USUAL_LEVEL = 0.95;
const LARGEST_K = 2 ** 32;

/**
 * Reads `[SCOPE.]metric[.lower(level)|.upper(level)] operator value`, where the scope is `suite`, `suites.NAME`, `scenario(NAME)` or one or
 * several of `plugin(NAME)`, `model(NAME)` and `test(NAME)`; the first problem ends it. Never throws, and takes time
 * proportional to the text.
 */
export function parseGate(text: string): ParsedGate {
  const scanner = createGateScanner(text);
  try {
    return { ok: true, gate: readGate(text, scanner) };
  } catch (stop) {
    if (stop instanceof Stop) return { ok: false, problem: stop.problem };
    throw stop;
  }
}

function readGate(text: string, scanner: GateScanner): Gate {
  scanner.skip();
  if (scanner.rest().text === '') {
    throw problem('empty_gate', 'There is no gate here.', scanner.rest(), {
      hint: 'Write one, such as pass_rate >= 0.95.',
    });
  }
  const scope = readScope(scanner);
  const { metric, k, word } = readMetric(scanner);
  if (scope.kind === 'suite' && metric.scenarioOnly) {
    throw problem('unknown_scope', `${word.text} is a metric of a scenario, not of the suite.`, word, {
      hint: `Write ${word.text} or scenario(NAME).${word.text}.`,
    });
  }
  if (scope.kind === 'scenario' && metric.suiteOnly) {
    throw problem('unknown_scope', `${word.text} is a metric of the suite, not of a scenario.`, word, {
      hint: `Write ${word.text} or suite.${word.text}.`,
    });
  }
  if (scope.kind === 'cells' && (metric.scenarioOnly || metric.source.from === 'coverage')) {
    throw problem('unknown_scope', `${word.text} is no metric of cells.`, word, { hint: `Write ${word.text}.` });
  }
  const asked: GateScope = metric.suiteOnly && scope.kind === 'every' ? { kind: 'suite' } : scope;
  const side = readSide(scanner, metric, asked, word);
  const { operator, value, place } = parseComparison(scanner);
  const rest = scanner.rest();
  if (rest.text !== '') {
    throw problem('text_after_gate', `"${rest.text.trimEnd()}" stands after a complete gate.`, rest, {
      hint: 'A gate is one comparison; give each its own.',
    });
  }
  const gate: Gate = {
    text: text.trim(),
    metric: metric.name,
    k,
    scope: asked,
    side,
    operator,
    value,
  };
  if (place.text.endsWith('%') && !metric.isRate) {
    throw problem('bad_value', `${place.text} is a share, and ${word.text} is none.`, place, {
      hint: 'Write a number; pass_rate is a share.',
    });
  }
  const never = neverPasses(gate, metric, place.text);
  if (never !== null) throw problem('never_passes', never.message, place, { hint: never.hint });
  return gate;
}

function readScope(scanner: GateScanner): GateScope {
  if (scanner.take('suite.')) return { kind: 'suite' };
  if (scanner.isAt('suites.')) return readPartition(scanner);
  const scenario = readNamed(scanner, 'scenario');
  if (scenario !== null) return { kind: 'scenario', name: scenario.text };
  const names: Record<string, string> = {};
  for (;;) {
    const from = scanner.at;
    const by = CELL_NAMES.find((word) => scanner.isAt(`${word}(`));
    const named = by === undefined ? null : readNamed(scanner, by);
    if (by === undefined || named === null) break;
    if (Object.hasOwn(names, by)) {
      const place = { text: by, from, to: from + by.length };
      throw problem('unknown_scope', `The ${by} of this gate stands here a second time.`, place, {
        hint: 'Give each its own gate.',
      });
    }
    names[by] = named.text;
  }
  return Object.keys(names).length === 0 ? { kind: 'every' } : { kind: 'cells', names };
}

/** The part of the test material in `suites.NAME.`. */
function readPartition(scanner: GateScanner): GateScope {
  scanner.take('suites.');
  const word = scanner.run(isNameCharacter);
  const name = SUITE_NAMES.find((one) => one === word.text);
  if (name !== undefined && scanner.take('.')) return { kind: 'partition', name };
  const message = name === undefined ? `There is no suite "${word.text}".` : 'A metric should stand after the suite.';
  throw problem('unknown_scope', message, word, { candidates: SUITE_NAMES });
}

/** The name in `word(NAME).`; null where no such word comes next. */
function readNamed(scanner: GateScanner, word: string): Word | null {
  const from = scanner.at;
  if (!scanner.take(`${word}(`)) return null;
  const quoted = scanner.quoted();
  const closed = quoted === null ? scanner.until(')') : scanner.take(')') ? quoted : null;
  if (closed !== null && scanner.take('.')) return closed;
  throw problem(
    'unknown_scope',
    `The ${word} of this gate has no end.`,
    { text: '', from, to: scanner.at },
    {
      hint: `Write ${word}(NAME).metric, or ${word}("NAME").metric where the name has a ")".`,
    },
  );
}

function readMetric(scanner: GateScanner): {
  readonly metric: GateMetric;
  readonly k: number | null;
  readonly word: Word;
} {
  const from = scanner.at;
  const family = scanner.take('exact.') ? 'exact.' : '';
  const run = scanner.run(isNameCharacter);
  const name = { ...run, text: `${family}${run.text}` };
  const mark = scanner.take('^') ? '^' : scanner.take('@') ? '@' : '';
  const digits = mark === '' ? '' : scanner.run(isNameCharacter).text;
  const word = { text: `${name.text}${mark}${digits}`, from, to: scanner.at };
  const metric = metricNamed(`${name.text}${mark}`);
  // With the k that was written, so that only the misspelt part counts.
  const candidates = isDigits(digits) ? metricNames(digits) : METRIC_NAMES;
  if (word.text === '') throw problem('unknown_metric', 'The metric is missing.', word, { candidates });
  if (metric === undefined) throw problem('unknown_metric', `There is no metric "${word.text}".`, word, { candidates });
  if (mark === '') return { metric, k: null, word };
  const k = isDigits(digits) ? Number(digits) : 0;
  if (k >= 1 && k <= LARGEST_K) return { metric, k, word };
  throw problem('bad_k', `"${digits}" is no number of trials.`, word, {
    hint: `Write how many trials it is about, such as ${name.text}${mark}8.`,
  });
}

function readSide(scanner: GateScanner, metric: GateMetric, scope: GateScope, word: Word): GateSide {
  if (!scanner.take('.')) return { kind: 'point' };
  const side = scanner.run(isNameCharacter);
  if (side.text !== 'lower' && side.text !== 'upper') {
    const message = side.text === '' ? 'A bound should stand after the dot.' : `A metric has no "${side.text}".`;
    throw problem('unknown_side', message, side, { candidates: ['lower', 'upper'] });
  }
  const has = metric.intervals === 'everywhere' || (metric.intervals === 'suite' && asksWhole(scope));
  if (!has) {
    const alone =
      metric.intervals === 'nowhere' ? 'no confidence interval' : 'a confidence interval only for the suite';
    throw problem('no_interval', `${word.text} has ${alone}.`, side, {
      hint: metric.intervals === 'nowhere' ? `Write ${word.text} alone.` : `Write suite.${word.text}.${side.text}.`,
    });
  }
  if (!scanner.take('(')) return { kind: side.text, level: USUAL_LEVEL, about: 'these' };
  const from = scanner.at;
  const inside = scanner.until(')') ?? { ...scanner.rest(), from };
  const [levelText = '', ...more] = inside.text.split(',').map((part) => part.trim());
  const isClosed = scanner.at > inside.to;
  if (isClosed && more.length > 0 && more.join(',') !== 'population') {
    throw problem('bad_population', `"${inside.text}" says nothing that a bound can be about.`, inside, {
      hint: `Write ${side.text}(0.95), which is about these scenarios, or ${side.text}(0.95, population), about scenarios like these.`,
    });
  }
  const about = more.length > 0 ? 'population' : 'these';
  if (about === 'population' && !asksWhole(scope)) {
    throw problem('bad_population', 'A single scenario is no sample of a population.', inside, {
      hint: `Write suite.${word.text}.${side.text}(${inside.text}), or ${word.text}.${side.text}(${levelText}).`,
    });
  }
  const level = gateNumber(levelText);
  if (level !== null && level > 0 && level < 1 && isClosed) return { kind: side.text, level, about };
  throw problem('bad_level', `"${inside.text}" is no level of confidence.`, inside, {
    hint: `Write a number between 0 and 1, such as ${side.text}(0.95).`,
  });
}

function isNameCharacter(character: string): boolean {
  return /[\p{L}\p{N}_-]/u.test(character);
}

function isDigits(text: string): boolean {
  return /^[0-9]{1,10}$/.test(text);
}
