import type { ToolStrike } from './tool-strike.ts';
import type { CompiledChaos } from './compile-chaos.ts';

/** A recorded answer as it strikes; `at`: the position of its label, null where it is no failure. */
export interface RecordedStrike {
  readonly strike: ToolStrike;
  readonly at: number | null;
}

/** Recorded answers of tools, given to their calls in one trial at a time: the nth call of a tool gets its nth answer. */
export class RecordedCalls {
  private readonly strikes: ReadonlyMap<string, readonly RecordedStrike[]>;
  /** Calls so far, by tool. */
  private readonly counts = new Map<string, number>();

  constructor(recorded: NonNullable<CompiledChaos['recorded']>, labels: readonly string[]) {
    this.strikes = new Map(
      [...recorded].map(([tool, answers]) => [
        tool,
        answers.map(({ response, at }) => {
          const label = at === null ? null : (labels[at] ?? null);
          return { strike: Object.freeze({ waitMs: response.delayMs, fault: null, label, recorded: response }), at };
        }),
      ]),
    );
  }

  /** Begins a trial: nothing has been called. */
  begin(): void {
    this.counts.clear();
  }

  /** The answer to a call that goes by these names. */
  next(names: readonly string[]): RecordedStrike {
    const tool = names.find((name) => this.strikes.has(name));
    if (tool === undefined) {
      const all = [...new Set(names)].map((name) => JSON.stringify(name)).join(', ');
      return missed(`No answer of a tool that goes by ${all} was recorded.`);
    }
    const answers = this.strikes.get(tool) ?? [];
    const call = this.counts.get(tool) ?? 0;
    this.counts.set(tool, call + 1);
    const recorded = answers.length === 1 ? '1 answer of it was' : `${answers.length} answers of it were`;
    return (
      answers[call] ??
      missed(`The tool ${JSON.stringify(tool)} was called ${call + 1} times, and ${recorded} recorded.`)
    );
  }
}

function missed(miss: string): RecordedStrike {
  return { strike: { waitMs: 0, fault: null, label: null, miss }, at: null };
}
