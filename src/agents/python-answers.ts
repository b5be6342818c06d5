/** What a Python agent returned, as an answer and what it took: functions of the program that asks it (`python-runner.ts`). */
export const PYTHON_ANSWERS = `\
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
    return piece if isinstance(piece, str) else content_text(piece)


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
    text = content_text(result)
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
    messages = field_of(result, "messages")
    messages = messages if isinstance(messages, list) else [result]
    gemini = field_of(result, "usage_metadata") if field_of(result, "candidates") else None
    # A run of the Claude Agent SDK says at its end what all of it took.
    whole = field_of(messages[-1], "usage") if messages else None
    for usage in (field_of(result, "usage"), field_of(field_of(result, "context_wrapper"), "usage"), gemini, whole):
        counts = counts_of(usage)
        if isinstance(counts, dict):
            return {"usage": counts, "model": field_of(result, "model")}
    answers = []
    for message in reversed(messages):
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
        return answer`;
