import { PYTHON_ANSWERS } from './python-answers.ts';
import { PYTHON_COSTS } from './python-costs.ts';

/**
 * The program that asks a Python agent, in an interpreter of its own. Its first argument names the callable. Speaks JSON
 * lines on descriptor 3; what the agent prints goes where programs print. For Python 3.8 and later.
 */
export const PYTHON_RUNNER = `
import asyncio, codecs, dataclasses, importlib, inspect, json, os, re, sys, typing

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


# A copy of this process that an agent leaves behind (os.fork) has nothing to say here: its line would answer another prompt.
owner = os.getpid()


def say(message):
    if os.getpid() != owner:
        os._exit(0)
    data = (json.dumps(message) + "\\n").encode()
    while data:
        data = data[os.write(3, data):]


def reason(error):
    name = type(error).__name__
    try:
        return "%s: %s" % (name, error) if str(error) else name
    except Exception:
        return name


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


async def drained(stream):
    async for _ in stream:
        pass


# A run that tells its events has a result, or its error, once they are read.
def run_to_its_end(result):
    events = None if isinstance(result, type) else getattr(result, "stream_events", None)
    stream = events() if callable(events) else None
    if hasattr(stream, "__aiter__"):
        loop.run_until_complete(drained(stream))


def settled(result):
    while inspect.isawaitable(result):
        result = loop.run_until_complete(waited(result))
    return result


def is_runnable(agent):
    return spec["langchain"] or hasattr(agent, "get_input_schema")


# Of a graph of LangGraph, the keys of its state that it begins with; of a chain, those of its prompts.
def keys_of(agent):
    state = getattr(getattr(agent, "builder", None), "input_schema", None)
    if state is not None:
        return list(getattr(state, "model_fields", None) or typing.get_type_hints(state))
    return list(agent.get_input_jsonschema().get("properties") or [])


def takes_text(agent):
    schema = agent.get_input_jsonschema()
    return any(one.get("type") == "string" for one in [schema, *schema.get("anyOf", [])])


taken = {}


# What a runnable says of itself, which takes it long to find out; nothing where it does not say.
def takes(agent, what, find, otherwise):
    if what not in taken:
        try:
            taken[what] = find(agent)
        except Exception:
            taken[what] = otherwise
    return taken[what]


# A graph passes over keys that it does not have, and runs on without what it was asked.
def question_for(agent, prompt):
    keys = takes(agent, "keys", keys_of, [])
    if isinstance(prompt, dict):
        if keys and not any(key in keys for key in prompt):
            raise Missing("The agent takes %s, and is given %s." % (", ".join(keys), ", ".join(prompt) or "nothing"))
        return prompt
    likely = [key for key in ("messages", "input") if key in keys]
    key = spec["inputKey"] or (likely or (keys if len(keys) == 1 else [None]))[0]
    if key is None and keys:
        raise Missing("The agent takes %s. Name the one that gets the prompt: in a contract with input_key, in a session with request_template." % ", ".join(keys))
    if key is None and takes(agent, "text", takes_text, False):
        return prompt
    key = key or "input"
    if keys and key not in keys:
        raise Missing('The agent takes %s, and not "%s".' % (", ".join(keys), key))
    return {key: [{"role": "user", "content": prompt}] if key == "messages" else prompt}


def ask(agent, prompt):
    if is_runnable(agent):
        asked = question_for(agent, prompt)
        for name, question in (("ainvoke", asked), ("invoke", asked), ("arun", prompt), ("run", prompt)):
            if hasattr(agent, name):
                return settled(getattr(agent, name)(question))
    elif hasattr(agent, "invoke"):
        return settled(called(agent.invoke, prompt))
    if callable(agent):
        return settled(called(agent, prompt))
    return settled(loop.run_until_complete(begun(agent.arun if hasattr(agent, "arun") else agent.run, prompt)))


# What is wrong with how it is named says nothing about the agent.
def called(function, prompt):
    try:
        return function(prompt)
    except TypeError as error:
        # Raised by the call itself, and not within.
        if error.__traceback__.tb_next is None and not takes_one(function):
            raise Missing("The Python callable cannot be called with the prompt alone: %s." % error)
        raise
    except RuntimeError as error:
        if str(error) == "no running event loop":
            raise Missing("The Python callable needs a running event loop: define it with async def.")
        raise


# Within the loop, where what a framework runs in the background begins.
async def begun(function, prompt):
    return called(function, prompt)


def takes_one(function):
    try:
        inspect.signature(function).bind(None)
        return True
    except (TypeError, ValueError):
        return False


${PYTHON_ANSWERS}


${PYTHON_COSTS}

def serve(agent, message):
    result, pieces = None, []
    try:
        if "reset" in message:
            settled(find(message["reset"]["module"], message["reset"]["attribute"])())
            return {"text": ""}
        result = ask(agent, message["prompt"])
        chain = is_runnable(agent)
        result = read_list(result)
        if comes_in_pieces(result, pieces):
            return with_cost(answer_of_pieces(pieces, chain), cost_of_pieces, pieces)
        run_to_its_end(result)
        return with_cost(answer_of(result, chain), cost_of, result)
    except Missing as error:
        return {"setup": str(error)}
    except BaseException as error:
        return with_cost({"error": reason(error)}, cost_of_failed, (error, result, pieces))


def main():
    try:
        agent = None if spec["module"] is None else find(spec["module"], spec["attribute"])
        if agent is not None and not callable(agent) and not any(hasattr(agent, name) for name in ("invoke", "ainvoke", "run", "arun")):
            raise Missing('The Python object "%s:%s" can neither be called nor has it invoke or run.' % (spec["module"], spec["attribute"]))
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
