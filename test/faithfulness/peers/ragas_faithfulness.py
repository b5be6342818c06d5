"""Scores recorded verdicts with the faithfulness metric of ragas, whose model is the record: one line of JSON for each row."""
import asyncio
import importlib.util
import json
import sys
import types
from pathlib import Path

ROOT = Path(importlib.util.find_spec("ragas").submodule_search_locations[0])


def bare(name):
    """A package without its __init__, which loads data sets, clients and tokenizers that no score needs."""
    module = types.ModuleType(name)
    module.__path__ = [str(ROOT.joinpath(*name.split(".")[1:]))]
    sys.modules[name] = module


for name in ["ragas", "ragas.metrics", "ragas.metrics.collections", "ragas.prompt", "ragas.prompt.metrics"]:
    bare(name)


class BaseMetric:
    """In place of the base class, which imports clients of models to check that `llm` is one of theirs."""

    def __init__(self, **_):
        pass


base = types.ModuleType("ragas.metrics.collections.base")
base.BaseMetric = BaseMetric
sys.modules[base.__name__] = base

from ragas.metrics.collections.faithfulness.metric import Faithfulness  # noqa: E402


class Recorded:
    """The model: it says what the record says, statements first, then a verdict on each."""

    def __init__(self, claims):
        self.claims = claims

    async def agenerate(self, prompt, output):
        if output.__name__ == "StatementGeneratorOutput":
            return output(statements=[claim["text"] for claim in self.claims])
        return output(
            statements=[
                {"statement": claim["text"], "reason": "recorded", "verdict": int(claim["supported"])}
                for claim in self.claims
            ]
        )


for row in json.load(sys.stdin):
    asked = {"user_input": "?", "response": row["answer"], "retrieved_contexts": row["contexts"]}
    score = asyncio.run(Faithfulness(llm=Recorded(row["claims"])).ascore(**asked)).value
    print("nan" if score != score else json.dumps(score), flush=True)
