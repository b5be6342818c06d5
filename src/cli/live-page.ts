import { createHash } from 'node:crypto';

const STYLE = `html,body{margin:0;height:100%;font:15px/1.5 system-ui,sans-serif;color-scheme:light dark}
body{display:flex;flex-direction:column}
#bar{display:flex;gap:1rem;align-items:center;padding:.4rem 1.5rem}
#bar[hidden]{display:none}
progress{flex:1;max-width:30rem}
iframe{flex:1;border:0;width:100%}
iframe[hidden]{display:none}`;

const SCRIPT = `const [bar,text,meter,frame]=['bar','text','meter','frame'].map((id)=>document.getElementById(id));
const events=new EventSource('events');
events.addEventListener('progress',({data})=>{
  const {done,total,failed}=JSON.parse(data);
  bar.hidden=false;
  if(total>0){meter.max=total;meter.value=done;}
  text.textContent=total>0?'Running: '+done+' of '+total+' trials, '+failed+' failed':'Loading scenarios';
});
events.addEventListener('report',()=>{
  bar.hidden=true;
  const hash=frame.hidden?location.hash:frame.contentWindow.location.hash;
  frame.hidden=false;
  frame.src='report?'+Date.now()+hash;
});
events.addEventListener('end',()=>{
  events.close();
  bar.hidden=false;meter.hidden=true;
  text.textContent='passk has ended; this page no longer changes.';
});
events.onerror=()=>{if(events.readyState!==EventSource.CLOSED)return;bar.hidden=false;text.textContent='passk no longer answers.';};`;

/** The page around the report: progress while a run goes on, and the report, which is loaded anew when it changes. */
export const LIVE_PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,"><title>passk report</title><style>${STYLE}</style></head>
<body>
<div id="bar"><span id="text" role="status">Waiting for passk</span><progress id="meter" aria-label="Trials that have run"></progress></div>
<iframe id="frame" title="Report" hidden></iframe>
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
