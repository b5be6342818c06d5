import { plural } from '../text/format-number.ts';
import { formatUpper } from '../text/format-rate.ts';
import { labelRow, textPage } from '../report/text-page.ts';
import type { Certificate, CertifiedScenario } from '../types/release/certificate.ts';
import type { RenderOptions } from '../types/render-options.ts';
import type { Certification } from './certify/certify.ts';
import type { CertificateCheck } from './certify/check-certificate.ts';
import { renderChecks } from './render-checks.ts';

const MOST_SCENARIOS = 20;

/** What was certified, or why nothing was, for people. */
export function renderCertification(
  { certificate, verdict, reasons }: Certification,
  options: Partial<RenderOptions> = {},
): string {
  const rows =
    certificate === null
      ? [['certificate', `none: ${verdict}`] as const, ...reasons.map((reason) => ['', reason] as const)]
      : certificateRows(certificate);
  return textPage(options, (style) => rows.flatMap(([name, text]) => labelRow(name, text, style)));
}

/** What was looked at in a certificate, and what does not hold. */
export function renderCertificateCheck(check: CertificateCheck, options: Partial<RenderOptions> = {}): string {
  const { body } = check.certificate;
  return renderChecks(check, {
    name: 'certificate',
    summary: check.holds
      ? `holds until ${body.expiresAt}: it may run unattended, by at least ${plural(body.minTrials, 'trial')} of each scenario whose trials differ`
      : 'does not hold: it has not earned its autonomy',
    options,
  });
}

function certificateRows({ body, signature }: Certificate): readonly (readonly [string, string])[] {
  const { subject, scenarios, seed, coverage, expiresAt } = body;
  const more = scenarios.length - MOST_SCENARIOS;
  return [
    ['certified', subject.files.map(({ name }) => name).join(', ')],
    ...scenarios.slice(0, MOST_SCENARIOS).map((one) => ['scenario', scenarioText(one)] as const),
    ...(more > 0 ? [['', `and ${plural(more, 'more scenario')}`] as const] : []),
    ['seed', String(seed)],
    ['coverage', `${coverage.observed.length} of ${coverage.total} capabilities`],
    ['models', subject.modelPins.map(({ role, model }) => `${role} (${model})`).join(', ') || 'none'],
    ['expires', expiresAt],
    ['signed by', signature.keyId],
  ];
}

function scenarioText({ name, bar, trials, passed, passRateAtLeast }: CertifiedScenario): string {
  if (trials === 0) return `${name}: its answers were enumerated`;
  const asked = bar === null ? 'every one had to' : `at least ${bar} had to`;
  const shows =
    passRateAtLeast === null
      ? 'all runs are the same'
      : `at most ${formatUpper(1 - passRateAtLeast)} of runs fail (95 %)`;
  return `${name}: ${passed} of ${plural(trials, 'trial')} passed, ${asked}; ${shows}`;
}
