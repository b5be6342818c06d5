import type { Command } from 'commander';
import type { Certification } from '../../public/releases.ts';
import { wholeNumber } from '../../settings/kinds.ts';
import { agreedSettings } from '../agreed-settings.ts';
import { withInterrupt } from '../interrupt.ts';
import { keyText, textOf } from '../key-text.ts';
import { settingsOf, KindOption } from '../setting-option.ts';
import { runOptions } from '../setting-options.ts';
import { warnIdleModels } from '../warn-ahead.ts';
import type { Terminal } from '../terminal.ts';
import { hasTypedPaths } from '../typed-paths.ts';
import { printDocument } from '../print-document.ts';

interface CertifyFlags {
  readonly key?: string;
  readonly out?: string;
  readonly days?: number;
  readonly minTrials?: number;
  readonly check?: string;
  readonly publicKey?: string;
  readonly log?: string;
  readonly asOf?: string;
}

const HELP = `
A certificate is about every byte of the files, their policies and the models that they ask. Where any of it is another
one, or the day has come, it does not hold. --check runs nothing. With --log each try is an entry of the audit log, and a
certificate of what was refused before does not hold.

Exit codes: 0 certified, or the certificate holds, 1 the trials do not reach the bar, 2 usage or input error,
3 not enough evidence, 4 the certificate or the audit log does not hold.

Examples:
  passk certify refund.toml --trials 1000 --key release.key --out refund.cert
  passk certify --check refund.cert --public-key release.key.pub`;

/** Adds `passk certify`: signs a certificate for what may run unattended, and checks one before it is deployed. */
export function addCertify(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  program
    .command('certify')
    .summary('certify what may run unattended, and check that')
    .description('Runs scenarios and signs a certificate for what reached its bars, or checks one.')
    .argument('[paths...]', 'scenario files or folders; with --check by default those that were certified')
    .option('--key <file>', 'the private key to sign with')
    .option('--out <file>', 'the certificate; written only where everything passed')
    .addOption(new KindOption('--days <n>', 'how long it holds (default: 30)', wholeNumber(1, 3660)))
    .addOption(
      new KindOption(
        '--min-trials <n>',
        'trials that each scenario needs, unless all are the same (default: 32)',
        wholeNumber(1),
      ),
    )
    .option('--check <certificate>', 'check that this certificate holds for the files; nothing is run')
    .option('--public-key <file>', 'the key of whom the certificate must be by')
    .option('--log <file>', 'the audit log that gets an entry, or must hold that of the certificate')
    .option('--as-of <moment>', 'the day or moment by which it is issued or checked (default: now)')
    .addHelpText('after', HELP)
    .action(async (paths: readonly string[], flags: CertifyFlags, command: Command) =>
      done(await (flags.check === undefined ? issue : check)(paths, flags, { command, terminal })),
    );
}

interface Context {
  readonly command: Command;
  readonly terminal: Terminal;
}

async function issue(paths: readonly string[], flags: CertifyFlags, { command, terminal }: Context): Promise<number> {
  const { PasskError } = await import('../../public/suites.ts');
  const { certify, renderCertification } = await import('../../public/releases.ts');
  const { out, asOf, days, minTrials, log } = flags;
  if (paths.length === 0) {
    throw new PasskError('USAGE', 'Nobody says what is certified.', { hint: 'Name scenario files or folders.' });
  }
  if (out === undefined) {
    throw new PasskError('USAGE', 'Nobody says where the certificate goes.', {
      hint: 'Give --out FILE, or --check CERT.',
    });
  }
  const { settings, pins } = await certifySettings(command, terminal);
  const { stopEarly: _, bail: __, dedupe: ___, ...options } = await runOptions(paths, settings, terminal);
  await warnIdleModels(settings, terminal);
  const key = await keyText(flags.key);
  const stopping = (): void => terminal.say('stopping; nothing will be certified. Ctrl-C again stops at once.');
  const { value: certification, interrupted } = await withInterrupt(stopping, (signal, begin) => {
    begin();
    return certify({
      ...options,
      key,
      out,
      pins,
      ...(asOf !== undefined && { at: asOf }),
      ...(days !== undefined && { days }),
      ...(minTrials !== undefined && { minTrials }),
      ...(log !== undefined && { log }),
      onOutput: terminal.relay,
      signal,
    });
  });
  const document = certification.certificate ?? reasonsOf(certification);
  await printDocument(document, (style) => renderCertification(certification, style), { settings, terminal });
  return interrupted ? 130 : { pass: 0, fail: 1, insufficient: 3 }[certification.verdict];
}

async function check(paths: readonly string[], flags: CertifyFlags, { command, terminal }: Context): Promise<number> {
  const { checkCertificate, renderCertificateCheck } = await import('../../public/releases.ts');
  const { check: certificate = '', publicKey, asOf, log } = flags;
  const { settings, pins } = await certifySettings(command, terminal);
  const { paths: _, ...options } = await runOptions([], settings, terminal);
  const checked = await checkCertificate({
    ...options,
    ...(hasTypedPaths(command) && { paths }),
    certificate,
    pins,
    ...(publicKey !== undefined && { publicKey: await textOf(publicKey) }),
    ...(asOf !== undefined && { at: asOf }),
    ...(log !== undefined && { log }),
  });
  await printDocument(checked, (style) => renderCertificateCheck(checked, style), { settings, terminal });
  return checked.holds ? 0 : 4;
}

async function certifySettings(command: Command, terminal: Terminal) {
  const config = await agreedSettings(command, { uses: ['release'], terminal });
  return { settings: settingsOf(command), pins: config?.values.release?.models ?? {} };
}

function reasonsOf({ verdict, reasons }: Certification): object {
  return { certificate: null, verdict, reasons };
}
