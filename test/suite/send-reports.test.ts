import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  type PermissionOptions,
  renderReports,
  resolveReporters,
  runSuite,
  sendReports,
  type SendProblem,
} from '../../src/index.ts';
import { PLAIN_OPTIONS } from '../../src/report/plain-options.ts';
import { OTEL_PYTHON, type Receiver, skipsOtelProto, startReceiver } from '../importers/otlp/an-otel.ts';
import { folderWith, tauText } from './recordings/tau-runs.ts';

/** So many runs of one task, of which the report shows the first failing three. */
async function aReport(tasks = 1) {
  const runs = Array.from({ length: 6 * tasks }, (_, trial) => ({
    task: `task ${trial % tasks}`,
    trial,
    reward: trial % 2,
  }));
  return runSuite({ cwd: folderWith({ 'runs.json': tauText(runs) }), recordings: ['runs.json'], workers: 0 });
}

type Answers = Parameters<typeof startReceiver>[0];

async function aCollector(answers?: Answers): Promise<Receiver & { readonly permissions: PermissionOptions }> {
  const receiver = await startReceiver(answers);
  onTestFinished(() => receiver.close());
  return { ...receiver, permissions: { net: [new URL(receiver.url).host] } };
}

interface Sent {
  readonly problems: readonly SendProblem[];
  readonly receiver: Receiver;
}

async function sentTo(
  receiver: Receiver & { readonly permissions: PermissionOptions },
  { env = [], timeoutMs }: { readonly env?: readonly string[]; readonly timeoutMs?: number } = {},
): Promise<Sent> {
  const permissions = { ...receiver.permissions, env };
  const requests = await resolveReporters([`otlp:${receiver.url}`], { permissions });
  const { outgoing, reports, broken } = renderReports(await aReport(), requests, PLAIN_OPTIONS);
  expect([reports, broken]).toEqual([[], []]);
  const problems = await sendReports(outgoing, { permissions, ...(timeoutMs !== undefined && { timeoutMs }) });
  return { problems, receiver };
}

test.skipIf(skipsOtelProto)(
  'a collector gets spans and log records that the published definitions decode',
  async () => {
    const collector = await aCollector();
    const { problems } = await sentTo(collector);
    expect(problems).toEqual([]);
    expect(collector.received.map(({ path, headers }) => [path, headers['content-type']])).toEqual([
      ['/v1/traces', 'application/json'],
      ['/v1/logs', 'application/json'],
    ]);
    expect(collector.received.map(({ headers }) => headers['content-encoding'])).toEqual(['gzip', 'gzip']);
    const script = fileURLToPath(new URL('../report/otlp/parse_otlp.py', import.meta.url));
    const input = collector.received.map(({ body }) => body).join('\n');
    const decoded = spawnSync(OTEL_PYTHON, [script], { input, encoding: 'utf8' });
    expect(decoded.stderr).toBe('');
    const { spans, records, names } = JSON.parse(decoded.stdout);
    expect([records, names[0]]).toEqual([3, 'passk']);
    expect(spans).toBeGreaterThanOrEqual(5);
  },
);

test('a collector that is busy is asked again, and one that hangs is left in time', async () => {
  const busy = await aCollector((_, before) =>
    before === 0 ? { status: 503, headers: { 'retry-after-ms': '1' } } : before === 1 ? null : {},
  );
  const { problems } = await sentTo(busy, { timeoutMs: 1000 });
  expect(problems).toEqual([]);
  // Of the first request both tries came to nothing.
  expect(busy.received.map(({ path }) => path)).toEqual(['/v1/traces', '/v1/traces', '/v1/traces', '/v1/logs']);
});

test('a refusal ends the sending, and is told without the headers that it repeats', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'authorization=Bearer%20key-0123456789, x-team=desk');
  onTestFinished(() => void vi.unstubAllEnvs());
  const collector = await aCollector(({ headers }) => ({
    status: 400,
    body: JSON.stringify({ message: `bad key ${headers['authorization']?.slice(7)}` }),
  }));
  const { problems } = await sentTo(collector, { env: ['OTEL_EXPORTER_OTLP_HEADERS'] });
  expect(problems).toEqual([
    {
      name: 'otlp',
      url: collector.url,
      message: 'HTTP 400: bad key [secret OTEL_EXPORTER_OTLP_HEADERS]',
      isWarning: false,
    },
  ]);
  expect(collector.received).toHaveLength(1);
  expect(collector.received[0]?.headers).toMatchObject({ authorization: 'Bearer key-0123456789', 'x-team': 'desk' });
});

test('headers of a variable that is not granted are not sent', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'authorization=Bearer%20key-0123456789');
  onTestFinished(() => void vi.unstubAllEnvs());
  const collector = await aCollector();
  await sentTo(collector);
  expect(collector.received[0]?.headers['authorization']).toBeUndefined();
});

test('a partial success is an error where something was refused, else a warning', async () => {
  const partial = await aCollector(({ path }) =>
    path === '/v1/traces'
      ? { body: '{"partialSuccess":{"rejectedSpans":"2","errorMessage":"too old"}}' }
      : { body: '{"partialSuccess":{"errorMessage":"use gRPC"}}' },
  );
  const { problems } = await sentTo(partial);
  expect(problems.map(({ message, isWarning }) => [message, isWarning])).toEqual([
    [expect.stringMatching(/^it refused 2 of \d+ spans: too old$/), false],
    ['use gRPC', true],
  ]);
  const silent = await aCollector(() => ({ status: 204, body: '' }));
  expect((await sentTo(silent)).problems).toEqual([]);
});

test('large reports go in requests of bounded size, none of which is lost', async () => {
  const collector = await aCollector();
  const requests = await resolveReporters([`otlp:${collector.url}/otlp/`], { permissions: collector.permissions });
  const report = await aReport();
  const scenarios = Array.from({ length: 1200 }, (_, at) => ({ ...report.scenarios[0], name: `case ${at}` }));
  const { outgoing } = renderReports({ ...report, scenarios } as typeof report, requests, PLAIN_OPTIONS);
  expect(await sendReports(outgoing, { permissions: collector.permissions })).toEqual([]);
  const spans = collector.received
    .filter(({ path }) => path === '/otlp/v1/traces')
    .map(({ body }) => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans);
  expect(spans.length).toBeGreaterThan(2);
  for (const batch of spans) expect(batch.length).toBeLessThanOrEqual(512);
  expect(new Set(spans.flat().map(({ spanId }) => spanId)).size).toBe(spans.flat().length);
  expect(spans.flat().length).toBeGreaterThan(1200);
});

test('what is sent is compressed, whatever the variable of headers says', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'content-encoding=identity');
  onTestFinished(() => void vi.unstubAllEnvs());
  const collector = await aCollector();
  const { problems } = await sentTo(collector, { env: ['OTEL_EXPORTER_OTLP_HEADERS'] });
  expect(problems).toEqual([]);
  const [traces] = collector.received;
  expect(traces?.headers['content-encoding']).toBe('gzip');
  expect(traces?.bytes).toBeLessThan((traces?.body.length ?? 0) / 3);
  expect(JSON.parse(traces?.body ?? '').resourceSpans).toHaveLength(1);
});

test.each([
  ['http://127.0.0.1:4318', {}, 'A request to 127.0.0.1:4318 needs --allow-net=127.0.0.1:4318.'],
  ['http://127.0.0.1:4318', { net: true }, '127.0.0.1:4318 is a loopback address: it needs'],
  ['https://user:pass@collector.example', { net: true }, 'the URL carries user information before its host.'],
  ['https://collector.example/?key=1', { net: true }, 'the URL has a query or a fragment'],
] as const)('%s with the grants %j is refused before a run', async (url, permissions, message) => {
  const refused = resolveReporters([`otlp:${url}`], { permissions });
  await expect(refused).rejects.toMatchObject({ code: 'USAGE', message: expect.stringContaining(message) });
  await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining('pass@') });
});

test('headers that cannot be sent are refused before a run, and not quoted', async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  const permissions = { net: ['127.0.0.1:4318'], env: ['OTEL_EXPORTER_OTLP_HEADERS'] };
  for (const value of ['secret-without-a-name', 'authorization=%zz-secret', 'host=secret', 'a b=secret']) {
    vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', value);
    const refused = resolveReporters(['otlp:http://127.0.0.1:4318'], { permissions });
    await expect(refused).rejects.toMatchObject({ code: 'USAGE' });
    await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining('secret-') });
  }
});

test('a reporter that sends nothing takes no URL', async () => {
  await expect(resolveReporters(['json:http://127.0.0.1:4318'])).rejects.toMatchObject({
    code: 'USAGE',
    message: 'Reporter "json" cannot send its report to a URL.',
    hint: 'Write --reporter json:PATH. Reporters that send: otlp.',
  });
});
