import type { Pointer } from '../../source/place-tree.ts';
import { hintFor } from '../../text/did-you-mean.ts';
import type { JsonObject } from '../../types/json.ts';
import { tellZeroShare } from '../../workflow/zero-share.ts';
import { textsAt } from '../../workflow/raw-data.ts';
import type { Report } from '../../workflow/report.ts';

/** What of a table `faithful` says nothing. `tools`: all that the subject has; null: nobody knows. */
export function checkFaithful(
  faithful: JsonObject,
  {
    at,
    report,
    tools = null,
  }: { readonly at: Pointer; readonly report: Report; readonly tools?: readonly string[] | null },
): void {
  const hint = 'Leave it out where contexts must support all claims, or say a share above 0.';
  tellZeroShare(faithful, 'min_score', { at, report, hint });
  if (tools === null || !Array.isArray(faithful['tools'])) return;
  for (const [index, tool] of textsAt(faithful, 'tools').entries()) {
    if (tools.includes(tool)) continue;
    report({
      code: 'unknown_tool',
      message: `The world has no tool "${tool}".`,
      at: [...at, 'tools', index],
      hint: hintFor(tool, tools, 'tools'),
    });
  }
}
