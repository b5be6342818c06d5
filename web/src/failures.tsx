import { useState } from 'preact/hooks';
import { formatCount, plural } from '../../src/text/format-number.ts';
import type { HtmlDetail, HtmlFailure } from '../../src/report/html/html-model.ts';
import { trialAddress } from './address.ts';
import { Steps } from './steps.tsx';

/** A message that is shorter names both values so that they can be told apart. */
const SPELT_OUT = 100;

interface FailuresProps {
  readonly detail: HtmlDetail;
  /** The place of the scenario on the page. */
  readonly scenario: number;
  /** The trial that the address names; null: none. */
  readonly wanted: number | null;
  /** The trial whose path is marked in the graph. */
  readonly shown: number | null;
  readonly onShow: (trial: number | null) => void;
}

/** The recorded failing trials: what did not hold, the way they took, how to see them again. */
export function Failures({ detail, scenario, wanted, shown, onShow }: FailuresProps) {
  const { failures, moreFailures, nodes } = detail;
  if (failures.length + moreFailures === 0) return null;
  const isThere = failures.some(({ trial }) => trial === wanted);
  return (
    <section class="card" aria-labelledby="failures-title">
      <h2 id="failures-title">Failing trials</h2>
      {failures.map((failure, place) => (
        <details key={failure.trial} class="failure" open={isThere ? failure.trial === wanted : place === 0}>
          <summary id={`trial-${failure.trial}`}>
            Trial {formatCount(failure.trial)}: {failure.verdict}
            {failure.ended !== '' && `, ended as ${failure.ended}`}
            {failure.findings[0] !== undefined && <span class="muted"> — {failure.findings[0].check}</span>}
          </summary>
          <Failure failure={failure} />
          <p>
            <a href={trialAddress(scenario, failure.trial)}>Link to trial {formatCount(failure.trial)}</a>
          </p>
          {nodes.length > 0 && failure.path.length > 0 && (
            <label>
              <input
                type="checkbox"
                checked={shown === failure.trial}
                onChange={(event) => onShow(event.currentTarget.checked ? failure.trial : null)}
              />{' '}
              Mark this path in the workflow
            </label>
          )}
        </details>
      ))}
      {moreFailures > 0 && <p class="muted">{plural(moreFailures, 'recorded failure')} more, left out for size.</p>}
    </section>
  );
}

function Failure({ failure }: { readonly failure: HtmlFailure }) {
  const { findings, path, morePath, reason, replay, trial, steps, moreSteps } = failure;
  return (
    <>
      {reason !== '' && (
        <p>
          Reason: <span class="said">{reason}</span>
        </p>
      )}
      {findings.map(({ check, at, message, expected, got }, place) => (
        <div key={place} class="finding">
          <p>
            <strong>{message}</strong>
            {at !== '' && (
              <>
                {' '}
                at <code>{at}</code>
              </>
            )}
          </p>
          {message.length > SPELT_OUT && (
            <dl class="pairs" aria-label={check}>
              <div>
                <dt>expected</dt>
                <dd class="said">{expected}</dd>
              </div>
              <div>
                <dt>got</dt>
                <dd class="said">{got}</dd>
              </div>
            </dl>
          )}
        </div>
      ))}
      {path.length > 0 && (
        <ol class="path" aria-label={`Path of trial ${trial}`}>
          {path.map((step, place) => (
            <li key={place}>{step}</li>
          ))}
          {morePath > 0 && <li>{plural(morePath, 'step')} more</li>}
        </ol>
      )}
      <Steps trial={trial} steps={steps} moreSteps={moreSteps} />
      {replay !== '' && <Replay command={replay} />}
    </>
  );
}

/** A command to copy. */
export function Replay({ command }: { readonly command: string }) {
  const [said, setSaid] = useState('');
  const copy = (): void => {
    const done = navigator.clipboard?.writeText(command) ?? Promise.reject(new Error('no clipboard'));
    done.then(
      () => setSaid('Copied'),
      () => setSaid('Select the text to copy it'),
    );
  };
  return (
    <p class="replay">
      <code>{command}</code>{' '}
      <button type="button" onClick={copy} aria-label="Copy the replay command">
        Copy
      </button>{' '}
      <output>{said}</output>
    </p>
  );
}
