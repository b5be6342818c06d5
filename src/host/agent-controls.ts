import { type AgentState, type AskClean, isExpected, probeState } from './agent-state.ts';

/** A column of a contract. */
export interface Visit {
  readonly contract: string;
  readonly column: string;
}

/** A column after which a clean question had another answer than before all of them. */
export interface Trace extends Visit {
  readonly prompt: string;
  /** What it was answered; null: nothing. */
  readonly answer: string | null;
}

export interface ControlOptions {
  /** Asks in a world without chaos, after bringing the agent back where something does. */
  readonly ask: AskClean;
  /** True: something brings it back. */
  readonly hasReset: boolean;
}

/**
 * Control trials of an agent that several columns ask: a clean question before the first column and between any two, so
 * that what a column leaves in the agent is found, and not taken for the doing of the next one.
 */
export class AgentControls {
  /** Columns in the order in which they were asked for first, and whether what ran before may have changed their answers. */
  readonly visits: (Visit & { readonly isDoubtful: boolean })[] = [];
  /** Columns that left something in the agent. */
  readonly traces: Trace[] = [];
  readonly hasReset: boolean;
  private readonly ask: AskClean;
  private found: AgentState | null = null;
  private prompt = '';
  private present: (Visit & { readonly foreign: readonly string[] }) | null = null;
  private isMarked = false;

  constructor({ ask, hasReset }: ControlOptions) {
    this.ask = ask;
    this.hasReset = hasReset;
  }

  /** What questions before the first column showed; null: there were none yet. */
  get state(): AgentState | null {
    return this.found;
  }

  /** Called before each trial; asks control questions where another column begins. `foreign`: texts that this one brings. */
  async enter(visit: Visit, { prompts, foreign }: Entered): Promise<void> {
    const { present } = this;
    if (present !== null && isSame(present, visit)) return;
    if (present === null) {
      this.prompt = prompts[0] ?? '';
      this.found = await probeState(prompts, this.ask, { isReset: this.hasReset });
    } else await this.compare(present);
    this.present = { contract: visit.contract, column: visit.column, foreign };
    if (this.visits.some((one) => isSame(one, visit))) return;
    const remembers = this.found?.kind === 'remembers' || (this.found?.kind === 'unclear' && !this.hasReset);
    this.visits.push({ ...visit, isDoubtful: present !== null && (remembers || this.isMarked) });
  }

  private async compare({ contract, column, foreign }: NonNullable<typeof this.present>): Promise<void> {
    const { found, prompt } = this;
    if (found?.kind !== 'same' && found?.kind !== 'varies') return;
    const isOther = (text: string | null): boolean => text === null || !isExpected(found, { text, foreign });
    let answer = await this.ask(prompt);
    // Once may be chance.
    if (isOther(answer)) answer = await this.ask(prompt);
    const wasMarked = this.isMarked;
    this.isMarked = isOther(answer);
    if (this.isMarked && !wasMarked) this.traces.push({ contract, column, prompt, answer });
  }
}

export interface Entered {
  readonly prompts: readonly string[];
  readonly foreign: readonly string[];
}

function isSame(one: Visit, other: Visit): boolean {
  return one.contract === other.contract && one.column === other.column;
}
