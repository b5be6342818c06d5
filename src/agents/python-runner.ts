/**
 * The program that asks a Python agent, in an interpreter of its own. Its first argument names the callable. Speaks JSON
 * lines on descriptor 3; what the agent prints goes where programs print. For Python 3.8 and later.
 */
export const PYTHON_RUNNER = `
import asyncio, importlib, inspect, json, os, sys

spec = json.loads(sys.argv[1])
sys.argv[:] = [""]
# The folder of the contract is the user's.
sys.dont_write_bytecode = True
sys.path[:0] = [path for path in spec["paths"] if path not in sys.path]
# Programs that the agent starts must not hold the channel open.
os.set_inheritable(3, False)
loop = asyncio.new_event_loop()
asyncio.set_event_loop(loop)


class Missing(Exception):
    pass


def say(message):
    data = (json.dumps(message) + "\\n").encode()
    while data:
        data = data[os.write(3, data):]


def reason(error):
    return "%s: %s" % (type(error).__name__, error)


def find(module, attribute):
    try:
        found = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is not None and (module + ".").startswith(error.name + "."):
            raise Missing('There is no Python module "%s" in %s or what %s has installed.' % (module, ", ".join(spec["paths"]), sys.executable))
        raise Missing('The Python module "%s" cannot be imported: %s.' % (module, reason(error)))
    except BaseException as error:
        raise Missing('The Python module "%s" cannot be imported: %s.' % (module, reason(error)))
    for name in attribute.split("."):
        if not hasattr(found, name):
            raise Missing('The Python module "%s" has no "%s".' % (module, attribute))
        found = getattr(found, name)
    return found


async def waited(result):
    return await result


def settled(result):
    return loop.run_until_complete(waited(result)) if inspect.isawaitable(result) else result


def ask(agent, prompt):
    if not spec["langchain"]:
        return settled(agent.invoke(prompt) if hasattr(agent, "invoke") else agent(prompt))
    # What a template made is what the chain or graph takes.
    asked = prompt if isinstance(prompt, dict) else {"input": prompt}
    for name, question in (("ainvoke", asked), ("invoke", asked), ("arun", prompt), ("run", prompt)):
        if hasattr(agent, name):
            return settled(getattr(agent, name)(question))
    return settled(agent(prompt))


def parts_text(content):
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(part if isinstance(part, str) else str(part.get("text", "")) if isinstance(part, dict) else "" for part in content)
    return None


def answer_of(result):
    if result is None:
        return {"text": ""}
    if isinstance(result, str):
        return {"text": str(result)}
    if spec["langchain"] and isinstance(result, dict):
        last = (result.get("messages") or [None])[-1]
        for part in (result.get("output"), result.get("text"), last):
            if part is not None:
                return answer_of(part)
    text = parts_text(getattr(result, "content", None))
    if text is not None:
        return {"text": text}
    try:
        return {"json": json.dumps(result, ensure_ascii=False)}
    except (TypeError, ValueError):
        return {"text": str(result)}


def field_of(value, name):
    return value.get(name) if isinstance(value, dict) else getattr(value, name, None)


# Of what answers since the last message of the user, as LangChain counts it; or as an answer says it itself.
def cost_of(result):
    usage = field_of(result, "usage")
    if isinstance(usage, dict):
        return {"usage": usage, "model": field_of(result, "model")}
    messages = field_of(result, "messages")
    answers = []
    for message in reversed(messages if isinstance(messages, list) else [result]):
        if field_of(message, "type") == "human" or field_of(message, "role") == "user":
            break
        answers.append(message)
    used = [field_of(answer, "usage_metadata") for answer in answers]
    used = [one for one in used if isinstance(one, dict)]
    if not used:
        return {}
    named = [(field_of(answer, "response_metadata") or {}).get("model_name") for answer in answers]
    usage = {key: sum(one.get(key) or 0 for one in used) for key in ("input_tokens", "output_tokens")}
    return {"usage": usage, "model": next((name for name in named if isinstance(name, str)), None)}


def with_cost(answer, result):
    try:
        cost = cost_of(result)
        json.dumps(cost)
        return dict(answer, **cost)
    except Exception:
        return answer


def serve(agent, message):
    try:
        if "reset" in message:
            settled(find(message["reset"]["module"], message["reset"]["attribute"])())
            return {"text": ""}
        result = ask(agent, message["prompt"])
        return with_cost(answer_of(result), result)
    except BaseException as error:
        return {"error": reason(error)}


def main():
    try:
        agent = None if spec["module"] is None else find(spec["module"], spec["attribute"])
        if agent is not None and not callable(agent) and not any(hasattr(agent, name) for name in ("invoke", "ainvoke", "run", "arun")):
            raise Missing('The Python object "%s:%s" can neither be called nor has it invoke.' % (spec["module"], spec["attribute"]))
    except Missing as error:
        return say({"setup": str(error)})
    say({"ready": True})
    with os.fdopen(3, "rb", closefd=False) as channel:
        for line in channel:
            say(serve(agent, json.loads(line)))


main()
# Neither exit handlers nor threads of the agent: nobody waits for it any more.
os._exit(0)
`;
