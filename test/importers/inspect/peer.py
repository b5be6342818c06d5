"""What the tests ask of the real Inspect: `write FOLDER` has it run an eval and log it, `read FILE` says what it sees."""

import json
import math
import sys
import zipfile
from pathlib import Path

from inspect_ai import Task, eval as run_eval
from inspect_ai._util import zipfile as inspect_zip
from inspect_ai.dataset import Sample
from inspect_ai.log import read_eval_log, write_eval_log
from inspect_ai.model import ChatMessageAssistant, ContentReasoning, ContentText, ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Score, accuracy, mean, pass_at, scorer, stderr
from inspect_ai.solver import generate, solver, use_tools
from inspect_ai.tool import ToolCall, tool

EPOCHS = 4


@tool
def add():
    async def execute(a: int, b: int) -> int:
        """Adds.

        Args:
            a: One number.
            b: Another.
        """
        return a + b

    return execute


@solver
def say_attempt():
    async def solve(state, generate):
        if state.sample_id == "breaks" and state.epoch < 3:
            raise RuntimeError("the sandbox is down")
        state.user_prompt.text += f" (attempt {state.epoch})"
        return state

    return solve


def answer(input, tools, tool_choice, config):
    """Right in attempts 1 and 2 of the sum; "talks" never ends."""
    asked = next(message.text for message in input if message.role == "user")
    usage = ModelUsage(
        input_tokens=10, output_tokens=5, total_tokens=22, input_tokens_cache_read=7, reasoning_tokens=2, total_cost=0.001
    )
    said = [m for m in input if m.role == "assistant"]
    if "talk" in asked or not said:
        call = ToolCall(id=f"call-{len(said)}", function="add", arguments={"a": 2, "b": 3})
        content = [ContentReasoning(reasoning="I add."), ContentText(text="Adding.")]
        message = ChatMessageAssistant(content=content, tool_calls=[call], source="generate")
        output = ModelOutput.from_message(message, stop_reason="tool_calls")
    else:
        is_right = "attempt 1" in asked or "attempt 2" in asked
        output = ModelOutput.from_content("mockllm/model", "5" if is_right else "6")
    output.usage = usage
    return output


def grade(input, tools, tool_choice, config):
    output = ModelOutput.from_content("mockllm/grader", "fine")
    output.usage = ModelUsage(input_tokens=100, output_tokens=1, total_tokens=101, total_cost=0.5)
    return output


@scorer(metrics=[accuracy(), stderr()])
def exact():
    async def score(state, target):
        is_right = state.output.completion == target.text
        return Score(value="C" if is_right else "I", answer=state.output.completion)

    return score


@scorer(metrics={"helpful": [mean()], "polite": [mean()]})
def graded():
    async def score(state, target):
        output = await get_model(role="grader").generate("Is this fine?")
        if state.sample_id == "breaks" and state.epoch == 4:
            return Score(value={"helpful": float("nan"), "polite": True}, explanation="no grade")
        return Score(value={"helpful": 0.25 * state.epoch, "polite": True}, explanation=output.completion)

    return score


def write(folder):
    task = Task(
        name="sums",
        dataset=[
            Sample(id="adds", input="What is 2 + 3?", target="5"),
            Sample(id="breaks", input="What is 2 + 3, once more?", target="5"),
            Sample(id="talks", input="Please talk.", target="5"),
        ],
        solver=[use_tools(add()), say_attempt(), generate()],
        scorer=[exact(), graded()],
        message_limit=8,
        fail_on_error=False,
    )
    [log] = run_eval(
        task,
        model=get_model("mockllm/model", custom_outputs=answer),
        model_roles={"grader": get_model("mockllm/grader", custom_outputs=grade)},
        epochs=EPOCHS,
        max_samples=1,
        log_dir=str(folder / "own"),
        log_format="eval",
        display="none",
    )
    write_eval_log(log, str(folder / "log.json"))
    [own] = (folder / "own").glob("*.eval")
    own.rename(folder / "zstandard.eval")
    # What its archives were before it took to Zstandard.
    inspect_zip.zipfile_compress_kwargs["compression"] = zipfile.ZIP_DEFLATED
    write_eval_log(log, str(folder / "deflate.eval"))
    [stopped] = run_eval(
        Task(name="stops", dataset=[Sample(id=1, input="Hi"), Sample(id=2, input="Hi")], solver=[fails(), generate()], scorer=[exact()]),
        model="mockllm/model",
        log_dir=str(folder / "stopped"),
        max_samples=1,
        log_format="json",
        display="none",
    )
    write_eval_log(stopped, str(folder / "stopped.json"))


@solver
def fails():
    async def solve(state, generate):
        if state.sample_id == 2:
            raise RuntimeError("no more")
        return state

    return solve


def read(file):
    log = read_eval_log(file, resolve_attachments=True)
    samples = [
        {
            "task": str(sample.id),
            "attempt": sample.epoch,
            "error": sample.error.message if sample.error else None,
            "limit": sample.limit.type if sample.limit else None,
            "messages": len(sample.messages),
            "scores": {name: plain(score.value) for name, score in (sample.scores or {}).items()},
            "metadata": sample.metadata,
        }
        for sample in log.samples or []
    ]
    results = [
        {
            "name": score.name,
            "scored": score.scored_samples,
            "unscored": score.unscored_samples,
            "metrics": {name: metric.value for name, metric in score.metrics.items()},
        }
        for score in (log.results.scores if log.results else [])
    ]
    usage = {name: used.model_dump(exclude_none=True) for name, used in log.stats.model_usage.items()}
    return {
        "status": log.status,
        "task": log.eval.task,
        "model": log.eval.model,
        "total": log.results.total_samples if log.results else None,
        "completed": log.results.completed_samples if log.results else None,
        "epochs": log.eval.config.epochs,
        "samples": samples,
        "results": results,
        "usage": usage,
    }


def plain(value):
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    return None if isinstance(value, float) and math.isnan(value) else value


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(Path(sys.argv[2]))
    else:
        print(json.dumps(read(sys.argv[2])))
