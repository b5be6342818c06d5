/** What a Python agent returned, as an answer and what it took: functions of the program that asks it (`python-runner.ts`). */
export const PYTHON_ANSWERS = `\
def kept(pieces, piece):
    if len(pieces) == 100000:
        raise ValueError("its answer comes in more than 100000 pieces")
    pieces.append(piece)


async def collect(stream, pieces):
    async for piece in stream:
        kept(pieces, piece)


# Reads the pieces of an answer that comes in pieces, of which those count that came before it fails. False: it comes whole.
def comes_in_pieces(result, pieces):
    if hasattr(result, "__aiter__"):
        loop.run_until_complete(collect(result, pieces))
        return True
    if not hasattr(result, "__next__"):
        return False
    for piece in result:
        kept(pieces, piece)
    return True


# A list of messages is a conversation where the user has a part in it, and else what somebody has read of a stream.
def read_list(result):
    if not isinstance(result, list) or is_data(result):
        return result
    if any(is_of_user(piece) for piece in result):
        return {"messages": result}
    is_stream = any(hasattr(one, "is_final_response") or content_text(unwrapped(one)) is not None for one in result)
    return iter(result) if is_stream else result


# What a tool gave is no word of the agent.
def piece_text(piece):
    if isinstance(piece, str):
        return piece
    return "" if "tool" in (field_of(piece, "type"), field_of(piece, "role")) else content_text(piece)


# A graph gives its pieces in tuples, with the name of a mode or with what else it knows of a message.
def unwrapped(piece):
    while isinstance(piece, tuple) and piece:
        piece = next((part for part in piece if content_text(part) is not None), piece[-1])
    return piece


# Of a model of pydantic its data, as they are called on the wire; of anything else itself.
def dumped(value):
    dump = None if isinstance(value, type) else getattr(value, "model_dump", None)
    try:
        return dump(mode="json", by_alias=True) if callable(dump) else value
    except Exception:
        return value


# An event of a model, or what an event of a run holds of one; None: it is none. States of a graph are large, and are none.
def event_of(piece):
    value = dumped(piece)
    if not isinstance(value, dict):
        value = dumped(getattr(piece, "data", None))
    # The Claude Agent SDK keeps in its own messages what its program says of itself.
    if not isinstance(value, dict) or value.get("type") == "system":
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
    pieces = [decoder.decode(piece) if isinstance(piece, (bytes, bytearray)) else unwrapped(piece) for piece in pieces]
    why = failure_of(pieces[-1]) if pieces else None
    if why is not None:
        return {"error": why}
    if any(hasattr(piece, "is_final_response") for piece in pieces):
        return answer_of_events(pieces)
    texts = [piece_text(piece) for piece in pieces]
    if None not in texts:
        return {"text": "".join(texts) + decoder.decode(b"", True)}
    return dict(answer_of(pieces[-1], chain), **events_in(pieces))


# Those of an agent of ADK, of which the final ones are its answer.
def answer_of_events(events):
    finals = [event for event in events if hasattr(event, "is_final_response") and event.is_final_response()]
    failed = [field_of(event, "error_message") or field_of(event, "error_code") for event in finals]
    why = next((one for one in failed if one), None)
    return {"text": "".join(content_text(event) or "" for event in finals)} if why is None else {"error": str(why)}


def parts_text(content):
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(part_text(part) for part in content)
    return None


# Gemini's thoughts are parts.
def part_text(part):
    if isinstance(part, str):
        return part
    return "" if field_of(part, "thought") is True else str(field_of(part, "text") or "")


# Events of ADK hold Gemini's contents.
def content_text(value):
    content = getattr(value, "content", None)
    text = parts_text(content)
    return parts_text(getattr(content, "parts", None)) if text is None else text


# Of a message, which may be a map.
def message_text(value):
    is_message = isinstance(value, dict) and isinstance(value.get("role"), str)
    text = parts_text(value.get("content")) if is_message else content_text(value)
    return refusal_of(value) if text == "" else text


# It stands beside the text, which is empty then.
def refusal_of(message):
    refusals = [field_of(holder, "refusal") for holder in (message, field_of(message, "additional_kwargs"))]
    return next((one for one in refusals if isinstance(one, str)), "")


def is_of_user(message):
    return "user" in (field_of(message, "role"), field_of(message, "source")) or field_of(message, "type") == "human"


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


# Of what stands within lists and maps as well.
def data_in(value):
    data = data_of(value)
    if data is value:
        raise TypeError("no data")
    return data


# What is called so ends a run: "RunError" of an event, "WorkflowFailedEvent" of a class, "ERROR" of a status.
FAILED = re.compile("(team|run|workflow|agent|stream)*[-_.]?(error|failed)(event)?", re.IGNORECASE)


# Why a run that ended without an exception is no answer; None: it is one.
def failure_of(result):
    if isinstance(result, dict):
        return None
    status = field_of(result, "status") if hasattr(result, "content") else None
    names = (type(result).__name__, field_of(result, "event"), getattr(status, "value", status))
    if not any(isinstance(name, str) and FAILED.fullmatch(name) for name in names):
        return None
    words = [field_of(result, name) for name in ("content", "error", "message", "exception")]
    return str(next((word for word in words if word), type(result).__name__))


# False: what Python writes of it was written by nobody.
def says_itself(value):
    text = type(value).__str__
    return text is not object.__str__ and not isinstance(value, dict) and getattr(text, "__module__", None) != "pydantic.main"


def is_data(value):
    try:
        json.dumps(value)
        return True
    except (TypeError, ValueError):
        return False


# What holds the answer of a run: its message, the last of its messages, also of the step of a graph under the name of its
# node, or the result that an event tells.
def holders_of(result):
    if says_itself(result):
        return [field_of(result, "message")]
    steps = list(result.values()) if isinstance(result, dict) and len(result) == 1 else []
    lists = [field_of(holder, "messages") for holder in (result, *steps)]
    holders = [field_of(result, "message")] + [messages[-1] for messages in lists if isinstance(messages, list) and messages]
    if is_data(data_of(result)):
        return holders
    ended = field_of(result, "result")
    return holders + [field_of(field_of(result, "data"), "output") if ended is None or callable(ended) else ended]


def held_answer(result):
    for holder in holders_of(result):
        text = message_text(holder)
        if text is not None and is_of_user(holder):
            return {"error": "its last message is the user's"}
        if text is not None:
            return {"text": text}
        if holder is not None and not is_data(holder):
            return answer_of(holder, False)
    return None


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
    if isinstance(result, BaseException):
        return {"error": reason(result)}
    why = failure_of(result)
    if why is not None:
        return {"error": why}
    text = message_text(result)
    if text is not None:
        return {"text": text}
    # A run of the OpenAI Agents SDK, or of Pydantic AI.
    for name in ("final_output", "output"):
        if hasattr(result, name):
            return answer_of(getattr(result, name), False)
    if isinstance(result, (bytes, bytearray)):
        return {"text": bytes(result).decode("utf-8", "replace")}
    held = held_answer(result)
    if held is not None:
        return held
    try:
        return {"json": json.dumps(result, default=data_in, ensure_ascii=False, allow_nan=False)}
    except (TypeError, ValueError):
        return {"error": "it answered with what has no text: %s" % type(result).__name__} if is_mute(result) else {"text": str(result)}


# What Python writes of such a value is its address.
def is_mute(value):
    kind = type(value)
    return inspect.isroutine(value) or (kind.__str__ is object.__str__ and kind.__repr__ is object.__repr__)`;
