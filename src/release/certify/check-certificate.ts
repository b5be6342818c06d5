import { firstNames } from '../../text/first-names.ts';
import type { KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { PasskError } from '../../errors.ts';
import type { RunSuiteOptions } from '../../settings/options.ts';
import { isModuleFile } from '../../source/scan-folder.ts';
import { displayName } from '../../source/source-file.ts';
import type { Certificate, CertificateBody, CertifiedFile, CertifiedSubject } from '../../types/release/certificate.ts';
import type { Scenario } from '../../types/scenario.ts';
import type { ModelPin } from '../../types/release/eval-body.ts';
import { anchorCheck, logCheck } from '../check-anchor.ts';
import { signatureChecks } from '../check-signature.ts';
import { readCertificate } from '../record-files.ts';
import { readMoment } from '../read-moment.ts';
import { publicKeyFrom, readPublicKey } from '../signing-keys.ts';
import { type SignedCheck, signedCheck, type VerificationCheck } from '../verification.ts';
import { findSubject } from './certified-subject.ts';

/** `paths`: absent, the scenarios are those that the certificate names. */
export interface CheckCertificateOptions extends Omit<RunSuiteOptions, 'scenarios'> {
  /** The file with the certificate. */
  readonly certificate: string;
  /** The public key of whom the certificate must be by, as a PEM text; absent: whoever signed it. */
  readonly publicKey?: string;
  /** The day, or the moment with its zone, at which it must hold; default: now. */
  readonly at?: string;
  /** The audit log that must hold the certificate's entry; absent: it is not looked at. */
  readonly log?: string;
  /** The model that plays each role here, where passk does not ask it itself. */
  readonly pins?: Readonly<Record<string, string>>;
}

/** Whether what stands in the files has earned its autonomy. */
export interface CertificateCheck extends SignedCheck {
  /** The certificate as it was read. */
  readonly certificate: Certificate;
}

/** Looks whether a certificate holds for these files now; nothing is run. Rejects with `INPUT` and `USAGE` for what cannot be read. */
export async function checkCertificate(options: CheckCertificateOptions): Promise<CertificateCheck> {
  const { certificate: named, publicKey, at = new Date().toISOString(), log, pins = {}, ...runOptions } = options;
  const cwd = path.resolve(runOptions.cwd ?? process.cwd());
  const file = path.resolve(cwd, named);
  const certificate = await readCertificate(file, displayName(file, cwd));
  const expected = publicKey === undefined ? null : readPublicKey(publicKey, 'The public key');
  const signer = publicKeyFrom(certificate.signature.publicKey);
  const isNamed = runOptions.paths !== undefined;
  const paths = runOptions.paths ?? certifiedPaths(certificate.body);
  const checks: readonly VerificationCheck[] = [
    ...signatureChecks(certificate, { signer, expected, noun: 'certificate' }),
    ...(await anchorChecks(certificate, { signer, cwd, log })),
    expiryCheck(certificate.body, at),
    ...(await subjectChecks(certificate.body, { ...runOptions, cwd, paths }, { pins, isNamed })),
  ];
  return {
    ...signedCheck(checks, { signer, expected, keyId: certificate.signature.keyId }),
    certificate,
  };
}

/** A certificate may be by anybody, so that it leads to no file outside of the folder, and runs no code. */
function certifiedPaths({ paths }: CertificateBody): readonly string[] {
  const refuse = (file: string, why: string): never => {
    throw new PasskError('USAGE', `The certificate is about ${file}, which ${why}.`, {
      hint: 'Name the files or folders that it must hold for.',
    });
  };
  for (const one of paths) {
    if (path.isAbsolute(one) || path.normalize(one).split(path.sep)[0] === '..')
      refuse(one, 'lies outside of this folder');
    if (isModuleFile(one)) refuse(one, 'is a module, and would be run');
  }
  return paths;
}

async function anchorChecks(
  { bodyHash, anchor }: Certificate,
  { signer, cwd, log }: { readonly signer: KeyObject | null; readonly cwd: string; readonly log: string | undefined },
): Promise<readonly VerificationCheck[]> {
  const reading = { signer, noun: 'certificate' } as const;
  if (anchor === undefined) {
    const message = 'The certificate has no entry in an audit log.';
    return log === undefined ? [] : [{ code: 'LOG', holds: false, message }];
  }
  const anchored = anchorCheck({ bodyHash, anchor }, reading);
  if (log === undefined) return [anchored];
  const file = path.resolve(cwd, log);
  const tries = { begun: 'certificate.begun', ended: 'certificate.refused' } as const;
  return [anchored, await logCheck(anchor, { ...reading, tries, own: [], file, name: displayName(file, cwd) })];
}

/** A clock that is behind the certificate is wrong, so that nothing follows from it. */
function expiryCheck({ issuedAt, expiresAt }: CertificateBody, at: string): VerificationCheck {
  const now = readMoment(at);
  if (!(now < Date.parse(expiresAt))) {
    return { code: 'EXPIRY', holds: false, message: `It expired at ${expiresAt}.` };
  }
  if (!(now >= Date.parse(issuedAt))) {
    return {
      code: 'EXPIRY',
      holds: false,
      message: `It was issued at ${issuedAt}, which lies ahead: a clock is wrong.`,
    };
  }
  return { code: 'EXPIRY', holds: true, message: `It was issued at ${issuedAt}, and holds until ${expiresAt}.` };
}

async function subjectChecks(
  { subject: certified, scenarios: tried }: CertificateBody,
  options: RunSuiteOptions,
  { pins, isNamed }: { readonly pins: Readonly<Record<string, string>>; readonly isNamed: boolean },
): Promise<readonly VerificationCheck[]> {
  let found: CertifiedSubject;
  let scenarios: readonly Scenario[];
  try {
    ({ subject: found, scenarios } = await findSubject(options, pins));
  } catch (error) {
    // A file that does not load any more is not the one that was certified; one that is not there is a mistake of the caller.
    if (!(error instanceof PasskError) || error.code !== 'INPUT' || (isNamed && isAbsent(options))) throw error;
    return [
      { code: 'FILES', holds: false, message: 'The files do not load, so they are not those that were certified.' },
    ];
  }
  return [
    filesCheck(certified, found, untriedIn(scenarios, tried)),
    same('WORKFLOW', certified.workflowHash === found.workflowHash, [
      'The workflows are those that were certified.',
      'The workflows are not those that were certified.',
    ]),
    same('POLICY', certified.policyHash === found.policyHash, [
      'The policies are those that were certified.',
      'The policies are not those that were certified.',
    ]),
    same('MODELS', pinsText(certified.modelPins) === pinsText(found.modelPins), [
      `The models are those that were certified: ${pinsText(found.modelPins)}.`,
      `The models are not those that were certified: ${pinsText(found.modelPins)} in place of ${pinsText(certified.modelPins)}.`,
    ]),
  ];
}

/** True: a path that is no pattern leads nowhere. */
function isAbsent({ paths = [], cwd = '.' }: RunSuiteOptions): boolean {
  return paths.some((one) => !/[*?[{]/.test(one) && !existsSync(path.resolve(cwd, one)));
}

function filesCheck(
  { files: certified }: CertifiedSubject,
  { files: found }: CertifiedSubject,
  untried: readonly string[],
): VerificationCheck {
  const textOf = ({ name, sha256 }: CertifiedFile): string => `${sha256} ${name}`;
  const namesBeside = (files: readonly CertifiedFile[], others: readonly CertifiedFile[]): readonly string[] => {
    const texts = new Set(others.map(textOf));
    return files.filter((file) => !texts.has(textOf(file))).map(({ name }) => name);
  };
  const names = [...new Set([...namesBeside(found, certified), ...namesBeside(certified, found)])];
  if (names.length === 0 && untried.length > 0) {
    return {
      code: 'FILES',
      holds: false,
      message: `Scenarios of these files were not tried: ${firstNames(untried, MOST_NAMES)}.`,
    };
  }
  if (names.length === 0) {
    const all = firstNames(
      found.map(({ name }) => name),
      MOST_NAMES,
    );
    return { code: 'FILES', holds: true, message: `Every byte of ${all} is as certified.` };
  }
  return {
    code: 'FILES',
    holds: false,
    message: `These files are not as certified: ${firstNames(names, MOST_NAMES)}.`,
  };
}

/** Who chose what is tried, by a tag or a name, may have left out what fails in the very same files. */
function untriedIn(scenarios: readonly Scenario[], tried: CertificateBody['scenarios']): readonly string[] {
  const names = new Set(tried.map(({ name }) => name));
  return scenarios.filter((one) => one.part === undefined && !names.has(one.name)).map(({ name }) => name);
}

const MOST_NAMES = 5;

function same(
  code: 'WORKFLOW' | 'POLICY' | 'MODELS',
  holds: boolean,
  [yes, no]: readonly [string, string],
): VerificationCheck {
  return { code, holds, message: holds ? yes : no };
}

function pinsText(pins: readonly ModelPin[]): string {
  return pins.length === 0 ? 'none' : pins.map(({ role, model }) => `${role} (${model})`).join(', ');
}
