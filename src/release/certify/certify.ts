import path from 'node:path';
import process from 'node:process';
import { PasskError } from '../../errors.ts';
import type { RunSuiteOptions } from '../../settings/options.ts';
import { displayName } from '../../source/source-file.ts';
import { runBegun } from '../../suite/run-suite.ts';
import type { GateVerdict } from '../../types/reports/gate.ts';
import { CERTIFICATE_SCHEMA, type Certificate, type CertificateBody } from '../../types/release/certificate.ts';
import type { SuiteReport } from '../../types/reports/report.ts';
import { VERSION } from '../../version.ts';
import { readMoment } from '../read-moment.ts';
import { refuseReplay } from '../refusals/refuse-replay.ts';
import { bodyHash, signBody } from '../sign-record.ts';
import { readPrivateKey } from '../signing-keys.ts';
import { beginInLog, entryAfter, logText, soundLog, withSoundLog } from '../sound-log.ts';
import { writeSigned } from '../write-signed.ts';
import { certifiedScenarios, judgeCertificate } from './judge-certificate.ts';
import { findSubject, type FoundSubject } from './certified-subject.ts';

/** Options of `certify()`. */
export interface CertifyOptions
  extends Omit<
    RunSuiteOptions,
    'scenarios' | 'stopEarly' | 'bail' | 'dedupe' | 'baseline' | 'saveBaseline' | 'replay'
  > {
  /** The private key as a PEM text. It is never printed or written. */
  readonly key: string;
  /** The file of the certificate. It is written only where everything passed. */
  readonly out: string;
  /** Days for which it holds; default 30. */
  readonly days?: number;
  /** Trials that each scenario needs at least, unless all of its trials are the same; default 32. */
  readonly minTrials?: number;
  /** The day, or the moment with its zone, at which it is issued; default: now. */
  readonly at?: string;
  /** An audit log that gets an entry, also where nothing is certified; absent: none. */
  readonly log?: string;
  /** The model that plays each role, where passk does not ask it itself. */
  readonly pins?: Readonly<Record<string, string>>;
}

/** What certifying gave. */
export interface Certification {
  /** Whether the certificate is granted. */
  readonly verdict: GateVerdict;
  /** Sentences; [] where it passed. */
  readonly reasons: readonly string[];
  /** Null: nothing was certified, and nothing written. */
  readonly certificate: Certificate | null;
  /** The report of the run that it rests on. */
  readonly report: SuiteReport;
}

/** As many as the tier beta asks for: what no trial of 32 shows happens at most once in eleven, at 95 %. */
const USUAL_TRIALS = 32;
const USUAL_DAYS = 30;
const MOST_DAYS = 3660;
const MS_PER_DAY = 24 * 3600 * 1000;

/**
 * Runs scenarios and, where each reaches its bar, writes a signed certificate for exactly what was run. Rejects with `USAGE`
 * or `INPUT` before anything runs where it can be known, and with `INTEGRITY` where files change meanwhile.
 */
export async function certify(options: CertifyOptions): Promise<Certification> {
  const { key, out, days = USUAL_DAYS, minTrials = USUAL_TRIALS, ...others } = options;
  const { at = new Date().toISOString(), log, pins = {}, ...runOptions } = others;
  refuseReplay(runOptions);
  const cwd = path.resolve(runOptions.cwd ?? process.cwd());
  const privateKey = readPrivateKey(key, 'The key');
  const issued = readMoment(at);
  if (!(Number.isInteger(days) && days >= 1 && days <= MOST_DAYS)) {
    throw new PasskError('USAGE', `A certificate holds for 1 to ${MOST_DAYS} days, not ${days}.`);
  }
  if (!(Number.isInteger(minTrials) && minTrials >= 1)) {
    throw new PasskError('USAGE', `A scenario has at least 1 trial, not ${minTrials}.`);
  }
  const logFile = log === undefined ? null : path.resolve(cwd, log);
  const logPlace = logFile === null ? null : { file: logFile, name: displayName(logFile, cwd), key: privateKey };
  if (logPlace !== null) await soundLog(logPlace);
  const before = await findSubject({ ...runOptions, cwd }, pins);
  const about = aboutOf(before);
  let begun: number | null = null;
  // Whoever sees trials go badly may kill the run: the log knows by then that there was a try.
  const onBegin = async (): Promise<void> => {
    if (logPlace === null) return;
    begun = await beginInLog(logPlace, { type: 'certificate.begun', about, payloadHash: bodyHash(before.subject) });
  };
  const report = await runBegun({ ...runOptions, cwd }, { onBegin });
  const after = await findSubject({ ...runOptions, cwd }, pins);
  if (bodyHash(before.subject) !== bodyHash(after.subject)) {
    throw new PasskError('INTEGRITY', 'Files changed while they were tried, so nothing was certified.', {
      hint: 'Run it again.',
    });
  }
  const { verdict, reasons } = judgeCertificate(report, before, minTrials);
  const body = bodyOf(before, report, { issued, days, minTrials });
  const hash = bodyHash(body);
  const isIssued = verdict === 'pass';
  const unanchored: Certificate = {
    schema: CERTIFICATE_SCHEMA,
    body,
    bodyHash: hash,
    signature: signBody(hash, privateKey, CERTIFICATE_SCHEMA),
  };
  const filesOf = (certificate: Certificate) =>
    isIssued ? [[path.resolve(cwd, out), `${JSON.stringify(certificate, null, 2)}\n`] as const] : [];
  if (logPlace === null) {
    await writeSigned(filesOf(unanchored));
    return { verdict, reasons, certificate: isIssued ? unanchored : null, report };
  }
  // Read again: another try may have been refused meanwhile, whose entry must stay.
  const certificate = await withSoundLog(logPlace, async (entries) => {
    const type = isIssued ? 'certificate.issued' : 'certificate.refused';
    const ends = begun === null ? {} : { ends: begun };
    const anchor = entryAfter(entries, { type, about, payloadHash: hash, ...ends }, privateKey);
    const anchored = { ...unanchored, anchor };
    await writeSigned([...filesOf(anchored), [logPlace.file, logText([...entries, anchor])]]);
    return anchored;
  });
  return { verdict, reasons, certificate: isIssued ? certificate : null, report };
}

function bodyOf(
  found: FoundSubject,
  report: SuiteReport,
  { issued, days, minTrials }: { readonly issued: number; readonly days: number; readonly minTrials: number },
): CertificateBody {
  return {
    paths: found.paths,
    subject: found.subject,
    seed: report.seed,
    minPassRate: report.gate.minPassRate,
    gates: report.gate.expressions.map(({ gate }) => gate.text),
    minTrials,
    scenarios: certifiedScenarios(report, found),
    coverage: {
      total: report.coverage.total,
      observed: report.coverage.observed,
      uncovered: report.coverage.uncovered,
    },
    engine: { name: 'passk', version: VERSION },
    issuedAt: new Date(issued).toISOString(),
    expiresAt: new Date(issued + days * MS_PER_DAY).toISOString(),
  };
}

/** What a log calls it: the same only for the very same files, policies and models. */
function aboutOf({ subject }: FoundSubject): string {
  const [first = 'nothing', ...more] = subject.files.map(({ name }) => name);
  const names = more.length === 0 ? first : `${first} and ${more.length} more`;
  return `${names} (${bodyHash(subject)})`;
}
