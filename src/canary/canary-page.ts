import { plainText } from '../report/plain-text.ts';
import { renderPage } from '../report/html/render-html.ts';
import { pageTemplate } from '../suite/passk-reporters.ts';
import type { CanaryRehearsal } from '../types/canary/canary-rehearsal.ts';
import type { CanaryReport } from '../types/canary/canary-report.ts';
import { criterionText, MEASURE_NAMES, stageName } from './canary-texts.ts';
import { assumedText, shareText, stageTexts } from './render-rehearsal.ts';
import { refusalText, releaseTexts, stateText } from './render-canary.ts';
import type { CanaryPage, RehearsalPage } from './canary-page-model.ts';

/** Longest text of others on the page. */
const LONGEST = 400;

/** A rollout as one page that needs no network: its timeline, with the bounds closing in. */
export function renderCanaryPage(report: CanaryReport): string {
  const { candidate, baseline, tier, reasons, waitsFor, stages, refused, counted, passk } = report;
  const page: CanaryPage = {
    page: 'canary',
    passk,
    title: shown(`Canary of ${candidate}`),
    about: shown(`for ${tier}${baseline === null ? '' : `, beside ${baseline}`}`),
    state: stateText(report),
    role: report.state === 'released' ? 'good' : report.state === 'running' ? 'warn' : 'bad',
    notes: [
      ...releaseTexts(report).map((text) => shown(text)),
      ...reasons.map(({ message, outcomes }) =>
        shown(outcomes.length === 0 ? message : `${message} Outcomes: ${outcomes.join(', ')}.`),
      ),
      ...waitsFor.map((text) => shown(`Waits for: ${text}`)),
      `${counted.toLocaleString('en')} outcomes count.`,
      ...Object.entries(refused).map(
        ([code, count]) => `Set aside, ${count.toLocaleString('en')}: ${refusalText(code)}.`,
      ),
    ],
    stages: stages.map(({ rules, state, candidate: arm, baseline: other, criteria, points, from, to }) => ({
      name: stageName(rules.percent),
      state,
      counts: `${arm.outcomes.toLocaleString('en')} outcomes of the candidate, ${other.outcomes.toLocaleString('en')} of the baseline${from === null || to === null ? '' : `, ${from.slice(0, 16)} to ${to.slice(0, 16)}`}`,
      criteria: criteria.map((one) => ({
        name: MEASURE_NAMES[one.measure],
        state: one.state,
        text: criterionText(one),
      })),
      floor: rules.minPassRate,
      ceiling: rules.maxCostPerSuccess,
      points,
    })),
  };
  return renderPage(page, pageTemplate());
}

/** A rehearsal as one page that needs no network: when rollouts of each candidate end, and who sees it until then. */
export function renderRehearsalPage(rehearsal: CanaryRehearsal): string {
  const { candidate, tier, rollouts, requestsPerHour, stepHours, seed, passk } = rehearsal;
  const page: RehearsalPage = {
    page: 'rehearsal',
    passk,
    title: shown(`Rehearsal of ${candidate}`),
    about: `for ${tier}: ${rollouts.toLocaleString('en')} rollouts of each candidate, ${requestsPerHour.toLocaleString('en')} requests an hour, ${stepHours === 0 ? 'outcomes count as they come' : `a step each ${stepHours} h`}, seed ${seed}`,
    candidates: rehearsal.candidates.map((one) => ({
      name: shown(one.assumed.name),
      assumed: assumedText(one),
      isBad: one.isBad,
      released: shareText(one.released),
      releasedGauge: {
        value: one.released.share,
        low: one.released.interval[0],
        high: one.released.interval[1],
        bar: null,
      },
      rolledBack: shareText(one.rolledBack),
      hours: { released: one.hoursToRelease?.median ?? null, rolledBack: one.hoursToRollback?.median ?? null },
      exposed: [one.exposed.mean, one.exposed.p95],
      failed: [one.failed.mean, one.failed.p95],
      ends: stageTexts(one),
      moments: one.moments,
      exposure: one.exposure,
    })),
  };
  return renderPage(page, pageTemplate());
}

function shown(text: string): string {
  return plainText(text, LONGEST);
}
