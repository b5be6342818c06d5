import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { inspectPrints } from './inspect-log.ts';
import { STEPS, STOCK } from './session-files.ts';

/** The same shelf and the same steps as a task of Inspect: its mock model calls the tool, and the state is compared in the end. */
const TASK = `import json, sys, time
from copy import deepcopy
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageTool, ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Score, accuracy, scorer
from inspect_ai.solver import generate, use_tools
from inspect_ai.tool import tool
from inspect_ai.util import store

STOCK = json.loads(sys.argv[1])
STEPS = int(sys.argv[2])
LOGS = sys.argv[3]

def fresh():
    return {"taken": [], "stock": deepcopy(STOCK)}

def take_from(world, part):
    found = world["stock"][part]
    found["stock"] -= 1
    world["taken"].append(part)
    return found["stock"]

GOLD = fresh()
for step in range(STEPS):
    take_from(GOLD, f"part-{step}")

@tool
def take():
    async def execute(part: str):
        """Takes a part from the shelf.

        Args:
            part: Its name.
        """
        world = store().get("world") or fresh()
        left = take_from(world, part)
        store().set("world", world)
        return json.dumps({"left": left})
    return execute

@scorer(metrics=[accuracy()])
def state():
    async def score(state, target):
        return Score(value=1 if store().get("world") == GOLD else 0)
    return score

def answer(input, tools, tool_choice, config):
    step = sum(isinstance(message, ChatMessageTool) for message in input)
    output = (
        ModelOutput.for_tool_call("mockllm/model", "take", {"part": f"part-{step}"})
        if step < STEPS
        else ModelOutput.from_content("mockllm/model", "Here you are.")
    )
    # Counting tokens would load the tokenizer of a vendor.
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return output

def held(samples):
    task = Task(
        dataset=[Sample(input="Parts, please.", target="")],
        solver=[use_tools(take()), generate()],
        scorer=state(),
        epochs=samples,
    )
    model = get_model("mockllm/model", custom_outputs=answer)
    began = time.process_time()
    # Its leanest: no sample is kept in its log.
    [log] = eval(task, model=model, display="none", log_samples=False, log_dir=LOGS)
    took = time.process_time() - began
    assert log.results.scores[0].metrics["accuracy"].value == 1, log.error
    return took

held(4)
few, many = int(sys.argv[4]), int(sys.argv[5])
print((held(many) - held(few)) / (many - few) * 1e9)
`;

/** Nanoseconds of processor time that Inspect takes for one such session, its start aside; null: it is not installed. */
export function timeInspectSessions(folder: string, few: number, many: number): number | null {
  const file = path.join(folder, 'inspect-sessions.py');
  writeFileSync(file, TASK);
  return inspectPrints(
    file,
    JSON.stringify(STOCK),
    String(STEPS),
    path.join(folder, 'inspect-logs'),
    String(few),
    String(many),
  );
}
