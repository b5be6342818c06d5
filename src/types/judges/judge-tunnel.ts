import type { JudgeAsking, MeasuredShare } from './judge-calibration.ts';
import type { ProbeReport } from './judge-probe.ts';
import type { Amount, Count, Proportion } from '../numbers.ts';

/** The shape of the document; a change that breaks readers is a new number. */
export const JUDGE_TUNNEL_SCHEMA = 'passk-judge-tunnel/1';

/** What protocols recover of the truth from fake judges whose faults are known. */
export interface JudgeTunnel {
  /** Names the shape of the document. */
  readonly schema: typeof JUDGE_TUNNEL_SCHEMA;
  /** Version of passk. */
  readonly passk: string;
  /** The seed of every random choice. */
  readonly seed: Count;
  /** Pairs, or items, of each evaluation. */
  readonly pairs: Count;
  /** Evaluations behind each coverage. */
  readonly trials: Count;
  /** True: judges stood behind an address of this machine, and were asked as real models are. */
  readonly isServed: boolean;
  /** The share of evaluations whose interval must hold the truth. */
  readonly minCoverage: Proportion;
  /** A real judge that was asked about passk's own pairs or answers; absent: all judges are fake. */
  readonly asked?: AskedJudge;
  /** The judges, one by one. */
  readonly judges: readonly TunnelJudge[];
  /** Judge by judge, each under every protocol that fits it. */
  readonly protocols: readonly TunnelProtocol[];
}

/** What a real judge makes of answers whose worth is known, and of the same answers in other dresses. */
export interface AskedJudge {
  /** The name of the judge. */
  readonly judge: string;
  /** As the configuration calls them. */
  readonly models: readonly string[];
  /** How often each was asked the same, at most. */
  readonly repeats: Count;
  /** Useful answers that it passed, or preferred to useless ones in both orders. */
  readonly useful: MeasuredShare;
  /** Useless answers that it failed; null: it compares. */
  readonly useless: MeasuredShare | null;
  /** What it prefers besides, and what it takes back. */
  readonly probes: readonly ProbeReport[];
  /** What asking it took. */
  readonly took: JudgeAsking;
}

/** A fake judge, or a real one with what it is shown. */
export interface TunnelJudge {
  /** The judge's name. */
  readonly name: string;
  /** What is wrong with it, in words. */
  readonly summary: string;
  /** `pairs`: it compares two answers. `items`: it passes or fails each. */
  readonly judges: 'pairs' | 'items';
  /** How it errs, and what it is shown, by the words of `--bias`; how a real one errs is not known. */
  readonly faults: { readonly [word: string]: number };
}

/** What one protocol makes of one judge. Counts, rate and interval are those of the first evaluation. */
export interface TunnelProtocol {
  /** The judge's name. */
  readonly judge: string;
  /** The protocol's name. */
  readonly name: string;
  /** True: each pair is judged in both orders. */
  readonly swap: boolean;
  /** Questions to a judge about one pair or item. */
  readonly questions: Count;
  /** Of the candidate; items that passed. */
  readonly wins: Count;
  /** Pairs that the candidate lost; items that failed. */
  readonly losses: Count;
  /** Pairs without a winner. */
  readonly ties: Count;
  /** Pairs or items without a verdict, because an answer could not be read. */
  readonly errors: Count;
  /** Share of verdicts for the one that stood first, over all questions; null: items, or no verdict. */
  readonly firstShare: Proportion | null;
  /** Share of pairs with one verdict in both orders; null: not swapped. */
  readonly consistency: Proportion | null;
  /** What the protocol reports: wins, and half of the ties; corrected where it corrects. Null: it can report nothing. */
  readonly winRate: Proportion | null;
  /** 95 %; null like `winRate`. */
  readonly interval: readonly [Proportion, Proportion] | null;
  /** What a judge without faults would find. */
  readonly truth: Proportion;
  /** Share of evaluations whose interval holds the truth. */
  readonly coverage: Proportion;
  /** Mean width of the intervals; null: no evaluation has one. */
  readonly meanWidth: Amount | null;
  /** True: coverage is at least `minCoverage`. */
  readonly recovers: boolean;
}
