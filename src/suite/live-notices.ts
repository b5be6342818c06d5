import type { Issue } from '../types/issue.ts';
import type { LiveReport } from '../types/reports/live-report.ts';

/** What a reader of live numbers must know before trusting them. */
export function liveNotices({ stoppedBy, unknownUsage, models }: LiveReport): readonly Issue[] {
  const notices: Issue[] = [];
  if (stoppedBy === 'budget') {
    notices.push(
      notice('budget_spent', 'The budget of the live models is used up, so the run was stopped before its end.', {
        hint: 'Raise --max-cost or --max-tokens, or lower max_tokens of the model: a call must fit with its longest answer.',
      }),
    );
  }
  const calls = models.reduce((sum, model) => sum + model.calls, 0);
  const reused = models.reduce((sum, model) => sum + model.reused, 0);
  if (reused > 0) {
    notices.push(
      notice('reused_answers', `${reused} of ${reused + calls} answers are from the cache of earlier runs.`, {
        hint: 'They are no new evidence beside those runs, and their tokens and cost are theirs. --no-cache asks anew.',
      }),
    );
  }
  const sum = (of: (model: LiveReport['models'][number]) => number | undefined): number =>
    models.reduce((total, model) => total + (of(model) ?? 0), 0);
  const filtered = sum((model) => model.filtered);
  if (filtered > 0) {
    notices.push(
      notice(
        'filtered_answers',
        `${filtered} of ${calls + reused} answers of live models are refusals, or cut by a filter.`,
        {
          hint: 'They count as what the model said: a trial passes with them unless one of its checks looks at that. Of a judge they are no verdict.',
        },
      ),
    );
  }
  const cut = sum((model) => model.cut);
  if (cut > 0) {
    notices.push(
      notice('cut_answers', `${cut} of ${calls + reused} answers of live models were cut at a cap of tokens.`, {
        hint: 'The cap is that of the node (max_tokens), of the model, or of the provider.',
      }),
    );
  }
  if (unknownUsage > 0) {
    notices.push(
      notice('unknown_usage', `The tokens of ${unknownUsage} requests in ${calls} live calls are unknown.`, {
        hint: 'Calls lack them, a budget counts the most they can have been, and tokens of a scenario are unknown where an answer does not tell them.',
      }),
    );
  }
  return notices;
}

/** `what` has results of live calls, but not what they used. */
export function unknownCalls(what: string): Issue {
  return notice('unknown_calls', `${what} does not say what its live calls came to.`, {
    hint: 'They are missing from all calls, tokens and costs. It is of an older passk.',
  });
}

function notice(code: string, message: string, { hint }: { readonly hint: string }): Issue {
  return { code, severity: 'warning', message, hint };
}
