import type { AttackChannel } from '../../types/sessions/attack.ts';
import type { AttackCounts, AttackReport } from '../../types/sessions/attack-report.ts';
import { formatCount, plural } from '../../text/format-number.ts';
import { formatInterval, formatRate, formatUpper } from '../../text/format-rate.ts';
import { plainText } from '../plain-text.ts';
import type { FigureRow, Figures, Panel, PanelNotes } from './panel.ts';
import { RUNS_IN_A_ROW } from './runs-in-a-row.ts';

/** How a channel is called in words. */
const CHANNELS: Readonly<Record<AttackChannel, string>> = {
  tool_output: 'tool output',
  memory: 'memory',
  retrieved_document: 'retrieved document',
  user_turn: 'user turn',
  agent_message: "other agent's message",
  tool_description: 'tool description',
};

/**
 * How often attacks succeed, with bounds, beside how often the user's tasks are done: for each agent, each channel, each category
 * of OWASP's, and each task. There must be an agent at least.
 */
export function attackPanel(reports: readonly AttackReport[]): Panel {
  const sum = (of: (report: AttackReport) => number): number => reports.reduce((all, one) => all + of(one), 0);
  const succeeded = sum((report) => report.succeeded);
  const tried = plural(
    sum(({ attempts }) => attempts),
    'attempt',
  );
  return {
    title: 'Attacks',
    isTitled: true,
    mark: null,
    headline: [
      `${formatCount(succeeded)} of ${tried} succeeded`,
      `${plural(new Set(reports.flatMap(({ cells }) => cells.map(({ name }) => name))).size, 'attack')} on ${plural(reports.length, 'agent')}`,
    ],
    isTelling: true,
    isTrouble: false,
    blocks: [
      agentFigures(reports),
      channelFigures(reports),
      owaspFigures(reports),
      ...reports.map(taskFigures),
      ...notesOf(reports),
    ],
  };
}

function agentFigures(reports: readonly AttackReport[]): Figures {
  const most = Math.min(RUNS_IN_A_ROW, ...reports.map(({ atK }) => atK.at(-1)?.k ?? 1));
  return {
    type: 'figures',
    corners: ['what', 'agent'],
    headers: [
      'attempts',
      'succeeded',
      'at most, 95 %',
      'attacks like these',
      `at ${most}`,
      'tasks done',
      'done under attack',
    ],
    rows: reports.map((report): FigureRow => {
      const { agent, attempts, rate, crossed, atK, utility } = report;
      const atMost = rateAt(atK, most);
      const benign = shareText(utility.benign);
      const under = shareText(utility.underAttack);
      return {
        names: ['attacks on', agent],
        cells: [
          formatCount(attempts),
          rate === null ? '–' : formatRate(rate),
          upperText(report),
          crossed === null ? '–' : formatInterval(crossed.interval),
          atMost,
          benign,
          under,
        ],
        parts: [
          agent,
          rate === null ? 'no attempt' : `${countsText(report)}, ${formatRate(rate)}`,
          ...(rate === null ? [] : [`at most ${upperText(report)} at 95 %`]),
          ...(crossed === null ? [] : [`tasks and attacks like these ${formatInterval(crossed.interval)}`]),
          ...(most > 1 ? [`one of ${most} attempts ${atMost}`] : []),
          `tasks done ${benign}, under attack ${under}`,
        ],
      };
    }),
  };
}

function rateAt(atK: AttackReport['atK'], k: number): string {
  const found = atK.find((one) => one.k === k);
  return found === undefined ? '–' : formatRate(found.value);
}

function shareText({ done, trials }: { readonly done: number; readonly trials: number }): string {
  return trials === 0 ? '–' : formatRate(done / trials);
}

function upperText({ upper }: AttackCounts): string {
  return upper === null ? '–' : formatUpper(upper);
}

function countsText({ attempts, succeeded }: Pick<AttackCounts, 'attempts' | 'succeeded'>): string {
  return `${formatCount(succeeded)} of ${formatCount(attempts)}`;
}

const COUNT_HEADERS = ['attempts', 'succeeded', 'at most, 95 %'];

function countCells(counts: AttackCounts): FigureRow['cells'] {
  const { attempts, succeeded } = counts;
  return [formatCount(attempts), attempts === 0 ? '–' : formatRate(succeeded / attempts), upperText(counts)];
}

function channelFigures(reports: readonly AttackReport[]): Figures {
  const rows = reports.flatMap(({ agent, byChannel }) =>
    byChannel.map((counts): FigureRow => {
      const name = CHANNELS[counts.channel];
      return { names: [agent, name], cells: countCells(counts), parts: partsOf(name, counts) };
    }),
  );
  return { type: 'figures', corners: ['agent', 'channel'], headers: COUNT_HEADERS, rows };
}

/** Tables have all categories, sentences those by which something succeeded. */
function owaspFigures(reports: readonly AttackReport[]): Figures {
  const rows = reports.flatMap(({ agent, byOwasp }) =>
    byOwasp.map(
      (counts): FigureRow => ({
        names: [agent, counts.id],
        cells: countCells(counts),
        parts: partsOf(counts.id, counts),
      }),
    ),
  );
  return { type: 'figures', corners: ['agent', 'category'], headers: COUNT_HEADERS, rows };
}

/** [] where nothing succeeded: a table has the row all the same. */
function partsOf(name: string, counts: AttackCounts): readonly string[] {
  return counts.succeeded === 0 ? [] : [name, countsText(counts)];
}

/** The tasks of an agent down, attacks across. */
function taskFigures({ agent, cells }: AttackReport): Figures {
  const attacks = [...new Set(cells.map(({ name }) => name))];
  const tasks = [...new Set(cells.map(({ task }) => task))];
  const rows = tasks.map((task): FigureRow => {
    const found = attacks.map((attack) => {
      const own = cells.filter((cell) => cell.task === task && cell.name === attack);
      const [attempts, succeeded] = [0, 1].map((at) =>
        own.reduce((all, cell) => all + (at === 0 ? cell.attempts : cell.succeeded), 0),
      );
      return { attack, attempts: attempts ?? 0, succeeded: succeeded ?? 0 };
    });
    const fallen = found.filter((one) => one.succeeded > 0);
    return {
      names: [agent, task],
      cells: found.map((one) =>
        one.attempts === 0 ? '–' : `${formatCount(one.succeeded)}/${formatCount(one.attempts)}`,
      ),
      parts:
        fallen.length === 0 ? [] : [task, ...fallen.map((one) => `${plainText(one.attack, 40)} ${countsText(one)}`)],
    };
  });
  return { type: 'figures', corners: ['agent', 'task'], headers: attacks, namesHeaders: true, rows };
}

function notesOf(reports: readonly AttackReport[]): readonly PanelNotes[] {
  const warnings = reports.flatMap(warningsOf);
  const asides = reports.flatMap(asidesOf);
  return [
    ...(warnings.length === 0 ? [] : [{ type: 'notes', tone: 'warning', sentences: warnings } as const]),
    ...(asides.length === 0 ? [] : [{ type: 'notes', tone: 'aside', sentences: asides } as const]),
  ];
}

/** What did not say anything of an attack. */
function warningsOf({ agent, errors, cells }: AttackReport): readonly string[] {
  const name = plainText(agent, 80);
  const never = cells.filter((cell) => cell.attempts === 0);
  return [
    ...(errors === 0
      ? []
      : [
          `${name}: ${plural(errors, 'trial')} under attack broke: the attack never reached it, or it gave no answer. They count neither way.`,
        ]),
    ...(never.length === 0
      ? []
      : [
          `${name}: nothing was tried in ${plural(never.length, 'cell')}, such as ${plainText(never[0]?.scenario ?? '', 120)}.`,
        ]),
  ];
}

function asidesOf({ agent, succeeded, upper, byOwasp, cells }: AttackReport): readonly string[] {
  const name = plainText(agent, 80);
  const empty = byOwasp.filter(({ attempts }) => attempts === 0).map(({ id }) => id);
  const constant = cells.filter((cell) => cell.constant === true);
  return [
    ...(constant.length === 0
      ? []
      : [
          `${name}: nothing is drawn in ${formatCount(constant.length)} of ${plural(cells.length, 'cell')}, so that all trials of a cell are the same, and count as one attempt.`,
        ]),
    ...(empty.length === 0
      ? []
      : [
          `${name}: ${byOwasp.length - empty.length} of ${byOwasp.length} categories were tried; none of ${empty.join(', ')}.`,
        ]),
    ...(succeeded > 0 || upper === null
      ? []
      : [`${name}: no success shows a rate of at most ${formatUpper(upper)}, and no lower one.`]),
  ];
}
