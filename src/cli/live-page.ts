import { createHash } from 'node:crypto';

const STYLE = `:root{color-scheme:light dark;--ink:light-dark(#1b1f24,#e6e9ee);--page:light-dark(#f6f7f9,#14171c);--card:light-dark(#fff,#1c2027);--muted:light-dark(#56606d,#a3adba);--line:light-dark(#d8dde4,#343b46);--bad:light-dark(#b3261e,#ff9c92);--accent:light-dark(#1b5fc1,#7db3ff)}
*{box-sizing:border-box}
html,body{margin:0;height:100%;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
body{display:flex;flex-direction:column}
[hidden]{display:none!important}
main{padding:1rem 1.5rem;max-width:70rem;width:100%;margin:0 auto}
h1{font-size:1.5rem;margin:.4rem 0}
h2{font-size:1.1rem;margin:1.2rem 0 .4rem}
progress{width:100%;height:1rem;accent-color:var(--accent)}
dl{display:flex;flex-wrap:wrap;gap:.5rem;margin:.8rem 0}
dl div{background:var(--card);border:1px solid var(--line);border-radius:.4rem;padding:.3rem .8rem;min-width:9rem}
dt{color:var(--muted);font-size:.85rem}
dd{margin:0;font-size:1.1rem;font-variant-numeric:tabular-nums}
.scroll{overflow-x:auto}
.scroll:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
table{border-collapse:collapse;width:100%;background:var(--card)}
th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border:1px solid var(--line);overflow-wrap:anywhere}
td{unicode-bidi:isolate}
td.number{white-space:nowrap;font-variant-numeric:tabular-nums}
.muted{color:var(--muted)}
.bad{color:var(--bad)}
ul{margin:0;padding-left:1.1rem}
.spoken{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
iframe{flex:1;border:0;width:100%}
.note{padding:.4rem 1.5rem;margin:0;border-bottom:1px solid var(--line);background:var(--card)}
.note p{margin:0}
.note pre{margin:.3rem 0;max-height:40vh;overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere;font-size:.9rem}
#printed{display:none}
@media print{:root{color-scheme:light}html,body{display:block;height:auto}#frame{display:none}#printed{display:block}}`;

// Texts come with the events, written as the reports write them, and are set as text, never as markup. What a screen reader
// speaks changes at each tenth of the run, not at each number.
const SCRIPT = `const byId = (id) => document.getElementById(id);
const events = new EventSource('events');
const set = (id, text) => { if (byId(id).textContent !== text) byId(id).textContent = text; };
let spoken = '';
let tenth = -1;
let failingSpoken = 0;
let runNumber = null;

function speak(text) {
  if (text === spoken) return;
  spoken = text;
  byId('spoken').textContent = text;
}

function cell(row, text, className) {
  const made = row.insertCell();
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

function showRow({ id, name, file, passed, rate, bar, toCome, reasons }) {
  const table = byId('rows');
  const row = byId('row-' + id) ?? table.insertRow();
  row.id = 'row-' + id;
  row.replaceChildren();
  const head = document.createElement('th');
  head.scope = 'row';
  const bdi = document.createElement('bdi');
  bdi.textContent = name;
  const from = document.createElement('div');
  from.className = 'muted';
  from.textContent = file;
  head.append(bdi, from);
  row.append(head);
  for (const text of [passed, rate, bar, toCome]) cell(row, text, 'number');
  const list = document.createElement('ul');
  for (const reason of reasons) list.append(Object.assign(document.createElement('li'), { textContent: reason }));
  row.insertCell().append(list);
}

function showParts(parts) {
  byId('parts').hidden = parts.length === 0;
  const table = byId('part-rows');
  while (table.rows.length > parts.length) table.deleteRow(-1);
  parts.forEach(({ name, done, states }, place) => {
    const row = table.rows[place] ?? table.insertRow();
    row.replaceChildren();
    const head = document.createElement('th');
    head.scope = 'row';
    head.append(Object.assign(document.createElement('bdi'), { textContent: name }));
    row.append(head);
    cell(row, done, 'number');
    cell(row, states);
  });
}

function show(run) {
  if (run.runNumber !== runNumber) {
    runNumber = run.runNumber;
    tenth = -1;
    failingSpoken = 0;
    byId('rows').replaceChildren();
    byId('problem').hidden = true;
  }
  const share = run.total > 0 ? Math.min(1, run.done / run.total) : 0;
  const percent = Math.floor(share * 100) + ' %';
  const what = { loading: 'Loading scenarios', running: 'Running', reporting: 'Making the report' }[run.stage];
  set('stage', what);
  // The report of the run before is in sight: it must not be taken for that of this run.
  byId('again').hidden = byId('frame').hidden;
  set('again', what + ' again' + (run.stage === 'running' ? ', ' + percent : '') + '. This is the report of the run before.');
  document.title = (run.stage === 'running' ? percent + ', ' : '') + what + ' – passk';
  if (run.total > 0) { byId('meter').max = run.total; byId('meter').value = Math.min(run.done, run.total); }
  for (const [id, text] of Object.entries(run.texts)) set(id, text);
  for (const row of run.rows) showRow(row);
  showParts(run.parts);
  byId('scenarios').parentElement.hidden = run.scenarios === 0;
  byId('failing').hidden = run.failing === 0;
  const now = Math.floor(share * 10);
  if (now !== tenth || (run.failing > 0 && failingSpoken === 0)) {
    tenth = now;
    failingSpoken = run.failing;
    const first = byId('rows').querySelector('bdi');
    const failing = run.failing === 0 ? 'none fails so far' : run.texts['failing-count'] + ' with failing trials, the first is ' + first.textContent;
    speak(what + ': ' + percent + ' of the trials are done, ' + failing + '.');
  }
}

events.addEventListener('progress', ({ data }) => show(JSON.parse(data)));
events.addEventListener('report', ({ data }) => {
  const frame = byId('frame');
  const hash = frame.hidden ? location.hash : frame.contentWindow.location.hash;
  const remark = JSON.parse(data);
  speak(('The run is over; this is its report. ' + remark).trim());
  for (const id of ['run', 'problem']) byId(id).hidden = true;
  byId('again').hidden = remark === '';
  set('again', remark);
  frame.hidden = false;
  frame.src = 'report?' + Date.now() + hash;
  document.title = 'passk report';
});
// A frame is printed as the screen shows it, cut at its end. Paper gets the whole report.
addEventListener('beforeprint', () => {
  const report = byId('frame').contentDocument;
  // The report shows all of its rows when it is printed.
  byId('frame').contentWindow.dispatchEvent(new Event('beforeprint'));
  const app = report.getElementById('app');
  if (app === null) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync([...report.querySelectorAll('style')].map(({ textContent }) => textContent).join('\\n'));
  document.adoptedStyleSheets = [sheet];
  byId('printed').replaceChildren(document.importNode(app, true));
});
addEventListener('afterprint', () => {
  document.adoptedStyleSheets = [];
  byId('frame').contentWindow.dispatchEvent(new Event('afterprint'));
  byId('printed').replaceChildren();
});
const note = (text) => { byId('note').hidden = false; set('note', text); };
events.addEventListener('end', () => {
  events.close();
  note('passk has ended; this page no longer changes.');
});
events.onopen = () => { byId('note').hidden = true; };
events.onerror = () => {
  note('passk does not answer' + (events.readyState === EventSource.CLOSED ? '.' : '; this page tries again.'));
};
events.addEventListener('problem', ({ data }) => {
  const hasReport = !byId('frame').hidden;
  byId('again').hidden = true;
  byId('problem').hidden = false;
  set('problem-head', 'There is no report of the last run.' + (hasReport ? ' Below is that of the run before.' : ''));
  set('problem-text', JSON.parse(data));
  set('stage', 'The run has ended without a report');
  document.title = 'No report – passk';
});`;

/** The page around the report: the run while it goes on, and then the report, which is loaded anew when it changes. */
export const LIVE_PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,"><title>passk</title><style>${STYLE}</style></head>
<body>
<p id="note" class="note" role="status" hidden></p>
<p id="again" class="note" hidden></p>
<div id="problem" class="note" role="alert" hidden><p id="problem-head" class="bad"></p><pre id="problem-text" tabindex="0"></pre></div>
<div id="spoken" class="spoken" role="status"></div>
<main id="run">
<h1 id="stage">Waiting for passk</h1>
<progress id="meter" aria-label="Trials that have run" value="0" max="1"></progress>
<dl>
<div><dt>Trials</dt><dd id="done">–</dd></div>
<div><dt>Pass rate, 95 %</dt><dd id="rate">–</dd></div>
<div><dt>Not passed</dt><dd id="failed">–</dd></div>
<div><dt>Trials per second</dt><dd id="speed">–</dd></div>
<div><dt>Time</dt><dd id="elapsed">–</dd></div>
<div><dt>Left</dt><dd id="left">–</dd></div>
<div><dt>Scenarios</dt><dd id="scenarios">–</dd></div>
</dl>
<div id="parts" hidden>
<h2 id="parts-head">How far each has come</h2>
<div class="scroll" tabindex="0" role="region" aria-labelledby="parts-head">
<table>
<thead><tr><th scope="col">Name</th><th scope="col">Done</th><th scope="col">Of these</th></tr></thead>
<tbody id="part-rows"></tbody>
</table>
</div>
<p id="more-parts" class="muted"></p>
</div>
<div id="failing" hidden>
<h2 id="failing-head">With failing trials: <span id="failing-count">0</span></h2>
<p class="muted">In the order in which they first failed. Verdicts come with the report: a bar may tolerate failing trials.</p>
<div id="scroll" class="scroll" tabindex="0" role="region" aria-labelledby="failing-head">
<table>
<thead><tr><th scope="col">Name</th><th scope="col">Passed</th><th scope="col">Pass rate, 95 %</th><th scope="col">Bar</th><th scope="col">To come</th><th scope="col">Why</th></tr></thead>
<tbody id="rows"></tbody>
</table>
</div>
<p id="more" class="muted"></p>
</div>
</main>
<iframe id="frame" title="Report" hidden></iframe>
<div id="printed"></div>
<script>${SCRIPT}</script>
</body>
</html>
`;

/** The content security policy of the page: its own script and style, and its own server. */
export const LIVE_POLICY = [
  "default-src 'none'",
  `script-src '${hashOf(SCRIPT)}'`,
  `style-src '${hashOf(STYLE)}'`,
  'img-src data:',
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
