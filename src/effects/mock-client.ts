import { compileTextMatch } from '../matching/text-match.ts';
import type { Answer, ClientRequest } from '../plugin/request.ts';
import type { Json } from '../types/json.ts';
import type { ElicitationReply, MockMcpServer } from '../types/mock.ts';
import { keptAnswer, valueAnswer } from './answers.ts';
import { type MockSlots, type MockUses, serveMock, takeAnswer } from './mock-uses.ts';

/** Nobody filled in the form, and the reply says so. */
const UNANSWERED: Answer = keptAnswer(valueAnswer({ action: 'decline', content: null, unanswered: true }, 'mock'));

/**
 * What `[[world.mcp]]` says for a client: what the user answers to a server, and the tools that it answers for. A question that no
 * entry fits is declined.
 */
export function mockClient(
  mocks: readonly MockMcpServer[],
  slots: MockSlots,
): (request: ClientRequest, uses: MockUses) => Answer {
  const forms = new Map(
    mocks.map(({ name, elicitations = [] }) => [
      name,
      elicitations.map((mock) => ({
        fits: mock.message === undefined ? () => true : compileTextMatch(mock.message, `elicitations of ${name}`),
        ...serveMock(mock, slots, { answer: formAnswer, afterLast: UNANSWERED }),
      })),
    ]),
  );
  const tools = new Map(mocks.map((mock) => [mock.name, keptAnswer(valueAnswer({ tools: toolsOf(mock) }, 'mock'))]));
  const [only] = forms.keys();

  return (request, uses) => {
    if (request.op === 'tools') return tools.get(request.server) ?? NO_TOOLS;
    const entries = forms.get(request.server ?? only ?? '') ?? [];
    return takeAnswer(entries, uses, ({ fits }) => fits(request.message)) ?? UNANSWERED;
  };
}

const NO_TOOLS: Answer = keptAnswer(valueAnswer({ tools: [] }, 'mock'));

function formAnswer({ action, content, delayMs }: ElicitationReply): Answer {
  // What is declined or cancelled carries no data.
  return keptAnswer(
    valueAnswer({ action, content: action === 'accept' ? (content ?? {}) : null }, 'mock', delayMs * 1000),
  );
}

/** A mock has no schemas: its tools take any arguments. */
function toolsOf({ tools }: MockMcpServer): Json {
  return Object.keys(tools).map((name) => ({ name, parameters: { type: 'object' } }));
}
