import type { AnswerTree, ChoicePart, LeafPart, TreeAnswer, TreePart, TreeStep } from '../types/answer-tree.ts';
import type { RenderOptions } from '../types/render-options.ts';
import { finishedText } from './ascii-text.ts';
import { plural } from '../text/format-number.ts';
import { formatRate } from '../text/format-rate.ts';
import { plainText } from './plain-text.ts';
import { type TextStyle, textStyle } from './text/text-style.ts';
import { wrapText } from './text/wrap-text.ts';

/** How `renderAnswerTree()` draws. */
export interface AnswerTreeOptions extends Partial<RenderOptions> {
  /** Answers that follow each other and are shown; default 8. */
  readonly depth?: number;
  /** Answers of one choice that are shown; default 8. */
  readonly width?: number;
}

/** Most choices that are shown. */
const MOST_CHOICES = 100;
const LONGEST_TEXT = 60;
const LONGEST_REASON = 160;
const MOST_STEPS = 12;

/** The tree of answers for people: what the model may answer, how likely that is, where it leads, and how it ends. */
export function renderAnswerTree(tree: AnswerTree, options: AnswerTreeOptions = {}): string {
  const { unicode = true, columns = 80, color = false, verbose = false } = options;
  const style = textStyle({ columns, color, verbose, unicode, quiet: false, timing: false });
  const drawing = new Drawing(tree, style, { depth: options.depth ?? 8, width: options.width ?? 8 });
  const text = `${drawing.lines().join('\n')}\n`;
  return finishedText(text, unicode);
}

interface Limits {
  readonly depth: number;
  readonly width: number;
}

class Drawing {
  private readonly out: string[] = [];
  private readonly tree: AnswerTree;
  private readonly style: TextStyle;
  private readonly limits: Limits;
  /** The letters of choices that several answers lead to and that are drawn, by position. */
  private readonly names = new Map<number, string>();
  private readonly shared: ReadonlySet<number>;
  private choices = 0;

  constructor(tree: AnswerTree, style: TextStyle, limits: Limits) {
    this.tree = tree;
    this.style = style;
    this.limits = limits;
    this.shared = sharedChoices(tree.parts);
  }

  lines(): readonly string[] {
    const { name, leaves, complete, passRate, parts } = this.tree;
    const counts = complete ? plural(leaves, 'sequence') : `more than ${plural(leaves, 'sequence')}`;
    const rate = passRate === null ? '' : `, passes ${percent(passRate)}`;
    for (const line of wrapText(`${plainText(name)}: ${counts} of answers${rate}`, this.style.columns)) {
      this.out.push(this.style.paint('strong', line));
    }
    this.out.push('');
    this.part(parts.length - 1, '', 0);
    if (!complete) this.text('', `Only the first ${plural(leaves, 'sequence')} are looked at: --leaves says how many.`);
    return this.out;
  }

  private part(at: number, guide: string, depth: number): void {
    const part = this.tree.parts[at];
    if (part === undefined) return;
    if (part.kind === 'leaf') this.leaf(part, guide);
    else this.choice(part, at, guide, depth);
  }

  private leaf({ steps, verdict, status, stoppedBy, reason, checks, leaf }: LeafPart, guide: string): void {
    if (steps.length > 0) this.text(guide, `→ ${walked(steps)}`);
    const ended = status === null ? '' : `${status}, ${stoppedBy}`;
    const why = reason === null ? '' : `: ${plainText(reason, LONGEST_REASON)}`;
    if (verdict === 'passed') this.text(guide, `✓ passes (${ended}${why})`, 'good');
    else if (verdict === 'failed') {
      const failed = checks.map((check) => plainText(check, LONGEST_TEXT)).join(', ');
      this.text(guide, `✗ FAILS ${failed} (${ended}${why}; leaf ${leaf})`, 'bad');
    } else this.text(guide, `! broken${why} (leaf ${leaf})`, 'warn');
  }

  private choice(part: ChoicePart, at: number, guide: string, depth: number): void {
    const drawnName = this.names.get(at);
    const below = `${plural(part.leaves, 'sequence')}${passText(part.passRate)}`;
    if (drawnName !== undefined) {
      this.text(guide, `↳ as at ${drawnName}: ${below}`);
      return;
    }
    const asks = `${part.steps.length === 0 ? '' : `→ ${walked(part.steps)} `}asks`;
    const turn = `${plainText(part.turn, LONGEST_TEXT)}${part.occurrence === 0 ? '' : `, time ${part.occurrence + 1}`}`;
    if (depth >= this.limits.depth || this.choices >= MOST_CHOICES) {
      const flag = depth >= this.limits.depth ? ' (--depth)' : '';
      this.text(guide, `${asks} (${turn}) … ${below}, not shown${flag}`);
      return;
    }
    this.choices++;
    let name = '';
    if (this.shared.has(at)) {
      name = letter(this.names.size);
      this.names.set(at, name);
    }
    this.text(guide, `${asks} (${turn})${name === '' ? '' : `  [${name}]`}`);
    this.answers(part, guide, depth);
  }

  private answers({ answers }: ChoicePart, guide: string, depth: number): void {
    // The likeliest first. The sort is stable.
    const sorted = [...answers].sort((a, b) => b.chance - a.chance);
    const shown = sorted.slice(0, this.limits.width);
    const left = sorted.slice(this.limits.width);
    for (const [i, answer] of shown.entries()) {
      const isLast = i === shown.length - 1 && left.length === 0;
      const next = `${guide}${isLast ? '   ' : '│  '}`;
      this.text(`${guide}${isLast ? '└─ ' : '├─ '}`, answerText(answer), undefined, next);
      this.part(answer.next, next, depth + 1);
    }
    if (left.length === 0) return;
    const chance = left.reduce((sum, answer) => sum + answer.chance, 0);
    this.text(`${guide}└─ `, `${percent(chance)}  … ${plural(left.length, 'answer')} more (--width)`);
  }

  /** Wraps a text beside its guides. A text keeps 20 columns however deep the guides are. */
  private text(guide: string, text: string, role?: 'good' | 'bad' | 'warn', rest = guide): void {
    const { columns, paint } = this.style;
    const room = Math.max(20, columns - guide.length);
    const plain = (line: string): string => (role === undefined ? line : paint(role, line));
    for (const [i, line] of wrapText(text, room).entries()) {
      this.out.push(paint('dim', i === 0 ? guide : rest) + plain(line));
    }
  }
}

function answerText({ chance, texts, variants }: TreeAnswer): string {
  const quoted = texts.slice(0, 3).map((text) => `"${plainText(text, LONGEST_TEXT)}"`);
  const more = variants.length - quoted.length;
  return `${percent(chance)}  ${quoted.join(' or ')}${more > 0 ? ` or ${more} more` : ''}`;
}

function walked(steps: readonly TreeStep[]): string {
  const names = steps.map(({ node, branch }) => {
    const label = branch === null ? '' : `[${plainText(branch, 40)}]`;
    return `${plainText(node, LONGEST_TEXT)}${label}`;
  });
  if (names.length <= MOST_STEPS) return names.join(' → ');
  const half = MOST_STEPS / 2;
  return [...names.slice(0, half), `… ${names.length - MOST_STEPS} more …`, ...names.slice(-half)].join(' → ');
}

/** Positions of choices that several answers lead to. */
function sharedChoices(parts: readonly TreePart[]): ReadonlySet<number> {
  const reached = new Set<number>();
  const shared = new Set<number>();
  for (const part of parts) {
    if (part.kind !== 'choice') continue;
    for (const { next } of part.answers) {
      if (reached.has(next) && parts[next]?.kind === 'choice') shared.add(next);
      reached.add(next);
    }
  }
  return shared;
}

function passText(rate: number | null): string {
  return rate === null ? '' : `, passes ${percent(rate)}`;
}

function percent(chance: number): string {
  if (chance === 0 || chance === 1) return `${chance * 100} %`;
  const text = formatRate(chance);
  const decimals = Math.max(0, text.length - 4);
  return `${Number((100 * chance).toFixed(Math.max(1, decimals)))} %`;
}

/** A, B, …, Z, AA, AB, … */
function letter(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : letter(Math.floor(index / 26) - 1) + last;
}
