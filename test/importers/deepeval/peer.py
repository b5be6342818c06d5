"""Has DeepEval judge four answers by a metric that is no model's; the last one it cannot judge."""
from deepeval import evaluate
from deepeval.evaluate.configs import AsyncConfig, DisplayConfig, ErrorConfig
from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase, ToolCall


class Exact(BaseMetric):
    def __init__(self):
        self.threshold, self.evaluation_model, self.evaluation_cost = 1, "none", 0.001
        self.include_reason, self.async_mode, self.strict_mode, self.verbose_mode = True, False, False, False

    def measure(self, case, *args, **options):
        if case.actual_output == "crash":
            raise RuntimeError("judge down")
        self.score = 1.0 if case.actual_output == case.expected_output else 0.0
        self.success, self.reason = self.score >= self.threshold, "compared"
        return self.score

    async def a_measure(self, case, *args, **options):
        return self.measure(case)

    def is_successful(self):
        return self.success

    @property
    def __name__(self):
        return "Exact"


tool = ToolCall(name="calc", input_parameters={"a": 2}, output=4)
cases = [
    LLMTestCase(input="2+2", actual_output=answer, expected_output="4", retrieval_context=["Sums."],
                tools_called=[tool], expected_tools=[tool], completion_time=0.5, token_cost=0.01)
    for answer in ["4", "5", "4", "crash"]
]
evaluate(cases, [Exact()], async_config=AsyncConfig(run_async=False), error_config=ErrorConfig(ignore_errors=True),
         display_config=DisplayConfig(show_indicator=False, print_results=False))
