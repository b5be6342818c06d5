import { render } from 'preact';
import 'uplot/dist/uPlot.min.css';
import './styles.css';
import type { CanaryPage, RehearsalPage } from '../../src/canary/canary-page-model.ts';
import type { HtmlReport } from '../../src/report/html/html-model.ts';
import { App } from './app.tsx';
import { CanaryApp } from './canary.tsx';
import { startTheme } from './theme.tsx';

startTheme();
const report: unknown = JSON.parse(document.getElementById('passk-data')?.textContent ?? 'null');
const root = document.getElementById('app');
if (root !== null) {
  if (typeof report === 'object' && report !== null && 'page' in report) {
    render(<CanaryApp data={report as CanaryPage | RehearsalPage} />, root);
  } else if (typeof report === 'object' && report !== null) render(<App report={report as HtmlReport} />, root);
  else render(<p>This page is a template: `passk run --reporter html:report.html` fills it.</p>, root);
}
