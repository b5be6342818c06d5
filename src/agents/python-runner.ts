/**
 * The program that asks a Python agent, in an interpreter of its own. Its first argument names the callable. Speaks JSON
 * lines on descriptor 3; what the agent prints goes where programs print. For Python 3.8 and later.
 */
export const PYTHON_RUNNER = `
import asyncio, codecs, dataclasses, importlib, inspect, json, os, sys, typing

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
    try:
        return "%s: %s" % (type(error).__name__, error)
    except Exception:
        return type(error).__name__


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
        return settled(agent.invoke(prompt))
    return settled(agent(prompt))


def kept(pieces, piece):
    if len(pieces) == 100000:
        raise ValueError("its answer comes in more than 100000 pieces")
    pieces.append(piece)


async def collected(stream):
    pieces = []
    async for piece in stream:
        kept(pieces, piece)
    return pieces


# The pieces of an answer that comes in pieces; None: it comes whole.
def pieces_of(result):
    if hasattr(result, "__aiter__"):
        return loop.run_until_complete(collected(result))
    if not hasattr(result, "__next__"):
        return None
    pieces = []
    for piece in result:
        kept(pieces, piece)
    return pieces


def piece_text(piece):
    return parts_text(piece if isinstance(piece, str) else getattr(piece, "content", None))


# Of a model of pydantic its data, as they are called on the wire; of anything else itself.
def dumped(value):
    dump = None if isinstance(value, type) else getattr(value, "model_dump", None)
    try:
        return dump(mode="json", by_alias=True) if callable(dump) else value
    except Exception:
        return value


# An event of a model; None: it is none. States of a graph are large, and are none.
def event_of(piece):
    value = dumped(piece)
    if not isinstance(value, dict):
        return None
    return value if isinstance(value.get("type"), str) or any(isinstance(value.get(key), list) for key in ("choices", "candidates")) else None


def events_in(pieces):
    try:
        events = [event for event in map(event_of, pieces) if event is not None]
        text = json.dumps(events, ensure_ascii=False, allow_nan=False)
        return {"pieces": text} if events and len(text) <= 3000000 else {}
    except Exception:
        return {}


# Texts are one answer together; of states of a graph the last is the answer.
def answer_of_pieces(pieces, chain):
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    pieces = [decoder.decode(piece) if isinstance(piece, (bytes, bytearray)) else piece for piece in pieces]
    texts = [piece_text(piece) for piece in pieces]
    if None not in texts:
        return {"text": "".join(texts) + decoder.decode(b"", True)}
    return dict(answer_of(pieces[-1], chain), **events_in(pieces))


def parts_text(content):
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(part if isinstance(part, str) else str(field_of(part, "text") or "") for part in content)
    return None


# What clients of OpenAI, of its Responses API and of Gemini give.
def is_model_answer(data):
    lists = (data.get("choices"), data.get("candidates"), data.get("output") if data.get("object") == "response" else None)
    return any(isinstance(one, list) for one in lists)


# What Python would write of it is neither what it says nor data.
def data_of(value):
    kind = type(value)
    if dataclasses.is_dataclass(kind) and kind.__str__ is object.__str__:
        return dataclasses.asdict(value)
    # Pydantic's own way to write a model.
    return dumped(value) if getattr(kind.__str__, "__module__", None) == "pydantic.main" else value


def answer_of(result, chain):
    if result is None:
        return {"text": ""}
    if isinstance(result, str):
        return {"text": str(result)}
    if chain and isinstance(result, dict):
        last = (result.get("messages") or [None])[-1]
        for part in (result.get("output"), result.get("text"), last):
            if part is not None:
                return answer_of(part, chain)
    data = dumped(result)
    if isinstance(data, dict) and is_model_answer(data):
        return {"json": json.dumps(data, ensure_ascii=False)}
    text = parts_text(getattr(result, "content", None))
    if text is not None:
        return {"text": text}
    # A run of the OpenAI Agents SDK, or of Pydantic AI.
    for name in ("final_output", "output"):
        if hasattr(result, name):
            return answer_of(getattr(result, name), False)
    if isinstance(result, (bytes, bytearray)):
        return {"text": bytes(result).decode("utf-8", "replace")}
    if isinstance(result, BaseException):
        return {"error": reason(result)}
    try:
        return {"json": json.dumps(data_of(result), ensure_ascii=False, allow_nan=False)}
    except (TypeError, ValueError):
        return {"error": "it answered with what has no text: %s" % type(result).__name__} if is_mute(result) else {"text": str(result)}


# What Python writes of such a value is its address.
def is_mute(value):
    kind = type(value)
    return inspect.isroutine(value) or (kind.__str__ is object.__str__ and kind.__repr__ is object.__repr__)


def field_of(value, name):
    return value.get(name) if isinstance(value, dict) else getattr(value, name, None)


# A run of Pydantic AI has a function for it.
def counts_of(usage):
    usage = dumped(usage() if callable(usage) else usage)
    return dataclasses.asdict(usage) if dataclasses.is_dataclass(usage) else usage


# Of what answers since the last message of the user, as LangChain counts it; or as an answer says it itself.
def cost_of(result):
    gemini = field_of(result, "usage_metadata") if field_of(result, "candidates") else None
    for usage in (field_of(result, "usage"), field_of(field_of(result, "context_wrapper"), "usage"), gemini):
        counts = counts_of(usage)
        if isinstance(counts, dict):
            return {"usage": counts, "model": field_of(result, "model")}
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
        chain = is_runnable(agent)
        pieces = pieces_of(result)
        if pieces is not None:
            return with_cost(answer_of_pieces(pieces, chain), {"messages": pieces})
        return with_cost(answer_of(result, chain), result)
    except Missing as error:
        return {"setup": str(error)}
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
