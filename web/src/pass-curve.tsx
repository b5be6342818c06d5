import { useEffect, useRef } from 'preact/hooks';
import UPlot from 'uplot';
import { formatRate } from '../../src/text/format-rate.ts';
import type { HtmlCurvePoint } from '../../src/report/html/html-model.ts';
import { THEME_EVENT, themeColor } from './theme.tsx';

interface PassCurveProps {
  readonly points: readonly HtmlCurvePoint[];
  /** What is drawn, and what its band is. */
  readonly caption: string;
}

/** pass^k over k: drawn, and as a table for those who read rather than look. */
export function PassCurve({ points, caption }: PassCurveProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const target = place.current;
    if (target === null || points.length < 2) return;
    let plot = draw(target, points);
    const again = (): void => {
      plot.destroy();
      plot = draw(target, points);
    };
    const observer = new ResizeObserver(() => {
      if (target.clientWidth > 0 && target.clientWidth !== plot.width) plot.setSize(sizeOf(target));
    });
    observer.observe(target);
    addEventListener(THEME_EVENT, again);
    return () => {
      observer.disconnect();
      removeEventListener(THEME_EVENT, again);
      plot.destroy();
    };
  }, [points]);
  if (points.length === 0) return <p class="muted">{caption}</p>;
  return (
    <figure class="curve">
      {points.length > 1 && <div ref={place} aria-hidden="true" class="plot" />}
      <figcaption class="muted">{caption}</figcaption>
      <details>
        <summary>pass^k as a table</summary>
        <table class="small">
          <thead>
            <tr>
              <th scope="col">k</th>
              <th scope="col">pass^k</th>
              <th scope="col">band</th>
            </tr>
          </thead>
          <tbody>
            {points.map(([k, value, low, high]) => (
              <tr key={k}>
                <th scope="row">{k}</th>
                <td>{formatRate(value)}</td>
                <td>{low === null || high === null ? '–' : `${formatRate(low)} to ${formatRate(high)}`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

function draw(target: HTMLElement, points: readonly HtmlCurvePoint[]): UPlot {
  const [ink, line, grid] = [themeColor('--muted'), themeColor('--accent'), themeColor('--line')];
  const axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid }, font: '12px system-ui' };
  return new UPlot(
    {
      ...sizeOf(target),
      legend: { show: false },
      cursor: { show: false },
      scales: { x: { time: false, distr: 3, log: 2 }, y: { range: [0, 1.02] } },
      axes: [
        { ...axis, label: 'k: trials in a row that all pass', labelFont: '12px system-ui', labelSize: 22 },
        { ...axis, size: 44 },
      ],
      series: [
        {},
        { stroke: 'transparent', points: { show: false } },
        { stroke: 'transparent', points: { show: false } },
        { stroke: line, width: 2, points: { show: points.length < 30, size: 5, fill: line } },
      ],
      bands: [{ series: [2, 1], fill: themeColor('--band') }],
    },
    [
      points.map(([k]) => k),
      points.map(([, value, low]) => low ?? value),
      points.map(([, value, , high]) => high ?? value),
      points.map(([, value]) => value),
    ],
    target,
  );
}

function sizeOf(target: HTMLElement): { readonly width: number; readonly height: number } {
  return { width: target.clientWidth || 480, height: 220 };
}
