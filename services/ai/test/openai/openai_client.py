"""Uses the platform through the `openai` package and prints what came of it as JSON."""

import json
import os
from typing import Any

from openai import APIStatusError, OpenAI

client = OpenAI(base_url=os.environ["BASE_URL"], api_key=os.environ["API_KEY"], max_retries=0)
model, spent_agent = os.environ["MODEL"], os.environ["SPENT_AGENT"]
question: Any = {"role": "user", "content": "How many?"}
weather: Any = {
    "type": "function",
    "function": {
        "name": "weather",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}


def plain() -> Any:
    answer = client.chat.completions.create(model=model, messages=[question])
    assert answer.usage is not None
    return [answer.choices[0].message.content, answer.choices[0].finish_reason, answer.usage.total_tokens]


def streamed() -> Any:
    options: Any = {"include_usage": True}
    text, usage = "", None
    for chunk in client.chat.completions.create(model=model, messages=[question], stream=True, stream_options=options):
        text += "".join(choice.delta.content or "" for choice in chunk.choices)
        usage = chunk.usage or usage
    assert usage is not None
    return [text, usage.prompt_tokens, usage.completion_tokens]


def tools() -> Any:
    first = client.chat.completions.create(model=model, messages=[question], tools=[weather])
    choice = first.choices[0]
    [call] = choice.message.tool_calls or []
    result: Any = {"role": "tool", "tool_call_id": call.id, "content": '{"rain": true}'}
    second = client.chat.completions.create(model=model, messages=[question, choice.message, result], tools=[weather])
    return [choice.finish_reason, call.function.name, call.function.arguments, second.choices[0].message.content]


def streamed_tools() -> Any:
    with client.chat.completions.stream(model=model, messages=[question], tools=[weather]) as stream:
        choice = stream.get_final_completion().choices[0]
    [call] = choice.message.tool_calls or []
    return [choice.finish_reason, call.function.name, call.function.arguments]


def refusal(of: OpenAI = client, **changes: Any) -> Any:
    try:
        of.chat.completions.create(**{"model": model, "messages": [question], **changes})
    except APIStatusError as error:
        return [type(error).__name__, error.status_code, error.code, error.param]
    return "answered"


def refused_stream() -> Any:
    try:
        for _ in client.chat.completions.create(model=model, messages=[question], stream=True):
            pass
    except Exception as error:
        return [type(error).__name__, str(error)]
    return "answered"


print(
    json.dumps(
        {
            "models": [entry.id for entry in client.models.list()],
            "plain": plain(),
            "streamed": streamed(),
            "tools": tools(),
            "streamed_tools": streamed_tools(),
            "failed_model": refusal(),
            "failed_stream": refused_stream(),
            "bad_key": refusal(client.with_options(api_key=os.environ["API_KEY"][:-4] + "xxxx")),
            "no_scope": refusal(client.with_options(api_key=os.environ["NARROW_KEY"])),
            "unknown_model": refusal(model="gpt-4o"),
            "bad_parameter": refusal(n=2),
            "spent_budget": refusal(model=spent_agent),
        }
    )
)
