/** What a Python agent says its answer took: functions of the program that asks it (`python-runner.ts`). */
export const PYTHON_COSTS = `\
def field_of(value, name):
    return value.get(name) if isinstance(value, dict) else getattr(value, name, None)


# The numbers of them; None: these are no counts of tokens. A run of Pydantic AI has a function for them.
def counts_of(usage):
    usage = dumped(usage() if callable(usage) else usage)
    usage = dict(vars(usage)) if dataclasses.is_dataclass(usage) else usage
    counts = {key: count for key, count in usage.items() if type(count) is int} if isinstance(usage, dict) else {}
    return counts if any(key.startswith(("input", "prompt")) for key in counts) else None


# Where runs and answers have the tokens of all that they took.
def usages_of(result):
    metrics = field_of(result, "metrics")
    yield field_of(result, "usage")
    yield field_of(field_of(result, "context_wrapper"), "usage")
    yield field_of(result, "usage_metadata") if field_of(result, "candidates") else None
    # Other sums are those of the agent's whole life.
    yield field_of(field_of(metrics, "latest_agent_invocation"), "usage")
    yield metrics


# Of what answers since the last message of the user, as LangChain and AutoGen count it; or as an answer says it itself.
def cost_of(result):
    messages = field_of(result, "messages")
    messages = messages if isinstance(messages, list) else [result]
    # A run of the Claude Agent SDK says at its end what all of it took.
    whole = field_of(messages[-1], "usage") if messages else None
    for counts in map(counts_of, (*usages_of(result), whole)):
        if counts is not None:
            model = field_of(result, "model")
            return {"usage": counts, "model": model if isinstance(model, str) else None}
    answers = []
    for message in reversed(messages):
        if is_of_user(message):
            break
        answers.append(message)
    used = [counts_of(field_of(answer, "usage_metadata") or field_of(answer, "models_usage")) for answer in answers]
    used = [one for one in used if one is not None]
    if not used:
        return {}
    named = [(field_of(answer, "response_metadata") or {}).get("model_name") for answer in answers]
    usage = {key: sum(one.get(key) or 0 for one in used) for key in used[0]}
    usage["requests"] = len(used)
    return {"usage": usage, "model": next((name for name in named if isinstance(name, str)), None)}


# The last piece may be a state, or an event with the result of the run.
def cost_of_pieces(pieces):
    pieces = [unwrapped(piece) for piece in pieces]
    ends = [field_of(pieces[-1], "result"), pieces[-1] if field_of(pieces[-1], "messages") else None] if pieces else []
    return next((cost for cost in map(cost_of, ends) if cost), None) or cost_of({"messages": pieces})


# An error, and those behind it.
def chain_of(error):
    errors = []
    while error is not None and len(errors) < 10:
        errors.append(error)
        error = error.__cause__ or error.__context__
    return errors


# What it took until it failed: as its pieces tell, or the run, or an error, or what an error holds.
def cost_of_failed(failed):
    error, result, pieces = failed
    held = [value for one in chain_of(error) for value in (one, *vars(one).values())]
    for find, holder in ((cost_of_pieces, pieces), *((cost_of, holder) for holder in (result, *held))):
        try:
            cost = find(holder)
        except Exception:
            continue
        # Zeros are what nobody has counted.
        if any(count for key, count in cost.get("usage", {}).items() if key != "requests"):
            return cost
    return {}


# Why its model ended the last message, as LangChain, Pydantic AI and ADK tell it.
def finish_of(result):
    messages = field_of(result, "messages")
    pieces = messages if isinstance(messages, list) else result if isinstance(result, list) else [result]
    last = unwrapped(pieces[-1]) if pieces else None
    words = [
        getattr(word, "value", word)
        for holder in (field_of(last, "response_metadata"), last, field_of(last, "response"))
        for word in (field_of(holder, "finish_reason"), field_of(holder, "stop_reason"))
    ]
    word = next((word for word in words if isinstance(word, str)), None)
    return {} if word is None else {"finish_reason": word}


def with_cost(answer, find, result):
    try:
        cost = find(result)
        cost = cost if "error" in answer else dict(finish_of(result), **cost)
        json.dumps(cost)
        return dict(answer, **cost)
    except Exception:
        return answer`;
