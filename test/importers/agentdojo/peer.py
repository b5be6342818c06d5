"""Has AgentDojo write runs: its benchmark with a pipeline that is scripted, or its logger for each cell of a version."""
import sys
import warnings
from pathlib import Path

from agentdojo.agent_pipeline import AgentPipeline, InitQuery, ToolsExecutionLoop, ToolsExecutor
from agentdojo.agent_pipeline.base_pipeline_element import BasePipelineElement
from agentdojo.attacks import load_attack
from agentdojo.benchmark import benchmark_suite_with_injections, benchmark_suite_without_injections
from agentdojo.functions_runtime import FunctionCall
from agentdojo.logging import NullLogger, OutputLogger, TraceLogger
from agentdojo.task_suite.load_suites import get_suite, get_suites
from agentdojo.types import text_content_block_from_string as text
from google.genai.errors import ServerError


class Scripted(BasePipelineElement):
    """Reads a bill, then says that it is done; its server is down for one injection task."""

    def query(self, query, runtime, env, messages=[], extra_args={}):
        if "music streaming service" in str(env):
            raise ServerError(503, {"error": {"message": "down"}})
        calls = None
        if messages[-1]["role"] == "user":
            calls = [FunctionCall(function="read_file", args={"file_path": "bill-december-2023.txt"}, id="c1")]
        answer = {"role": "assistant", "content": [text("" if calls else "Done.")], "tool_calls": calls}
        return query, runtime, env, [*messages, answer], extra_args


def benchmark(out):
    suite = get_suite("v1.2", "banking")
    script = Scripted()
    pipeline = AgentPipeline([InitQuery(), script, ToolsExecutionLoop([ToolsExecutor(), script])])
    pipeline.name = "local"
    tasks = ["user_task_0", "user_task_1"]
    with OutputLogger(out):
        benchmark_suite_without_injections(pipeline, suite, Path(out), True, tasks, benchmark_version="v1.2")
        attack = load_attack("direct", suite, pipeline)
        benchmark_suite_with_injections(pipeline, suite, attack, Path(out), True, tasks, benchmark_version="v1.2")


def cells(version, out):
    for name, suite in get_suites(version).items():
        users, injections = list(suite.user_tasks), list(suite.injection_tasks)
        alone = [(task, None, "none") for task in users + injections]
        for at, (user, injection, attack) in enumerate(alone + [(u, i, "direct") for u in users for i in injections]):
            delegate = NullLogger().__enter__()
            delegate.logdir = out
            with TraceLogger(
                delegate=delegate, suite_name=name, user_task_id=user, injection_task_id=injection, injections={},
                attack_type=attack, pipeline_name="local", benchmark_version=version,
            ) as logger:
                logger.context.update(utility=at % 3 == 0, security=at % 4 == 0)


warnings.simplefilter("ignore")
benchmark(sys.argv[2]) if sys.argv[1] == "benchmark" else cells(sys.argv[1], sys.argv[2])
