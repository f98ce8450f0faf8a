"""Writes a method."""

from __future__ import annotations

import re
from typing import Any

from .models import Models
from .text import argument, docstring, pascal, snake

_EVENTS = "AsyncGenerator[ServerSentEvent, None]"


class Method:
    """The method of an operation of the OpenAPI document."""

    def __init__(self, document: Any, models: Models, path: str, verb: str, operation: Any) -> None:
        self._document, self._models, self._path, self._verb = document, models, path, verb
        self._operation = operation
        self._id: str = operation["operationId"]
        self.surface, name = self._id.split(".")
        self._name = snake(name)
        self._type = pascal(self._id)
        responses = operation["responses"].items()
        self._success = [(status, self._resolve(given)) for status, given in responses if status.startswith("2")]
        self._is_run = any(
            {"application/json", "text/event-stream"} <= response.get("content", {}).keys()
            for _, response in self._success
        )
        self._positional: list[str] = []
        self._keywords: list[str] = []

    def write(self) -> str:
        """Returns the text of the method; of two, if the operation can respond with events too."""
        kind, result, id_field = self._result()
        path, query = self._parameters("path"), self._parameters("query")
        body, is_upload = self._body()
        arguments = ["self", *self._positional, "*", *self._keywords, "options: CallOptions | None = None"]
        head = ", ".join(arguments)
        call = f"{self._endpoint(kind, id_field, is_upload)}, {path}, {query}"
        operation = self._operation
        texts = dict.fromkeys([operation.get("summary"), operation.get("description"), f"`{self._verb} {self._path}`"])
        doc = docstring("\n\n".join(text for text in texts if text), "        ")
        if kind == "page":
            returned = f"AsyncPages[{result}]"
            mapping = "None" if body == "None" else "cast('Mapping[str, Any]', body)"
            value = f"cast({returned!r}, self._transport.pages({call}, {mapping}, options))"
            return _define(f"def {self._name}({head}) -> {returned}", doc, value)
        if kind == "file":
            value = f"self._transport.download({call}, options)"
            return _define(f"def {self._name}({head}) -> AsyncGenerator[bytes, None]", doc, value)
        if kind == "events":
            value = f"self._transport.stream({call}, None, options)"
            return _define(f"def {self._name}({head}) -> {_EVENTS}", doc, value)
        value = f"cast({result!r}, await self._transport.call({call}, {body}, options))"
        text = _define(f"async def {self._name}({head}) -> {result}", doc, value)
        if not self._is_run:
            return text
        stream = f'self._transport.stream({call}, {body}, options, "{self._events_path()}")'
        about = f'"""Streams the events of the run that `{self._name}` starts, until it ends."""'
        return text + _define(f"def {self._name}_stream({head}) -> {_EVENTS}", about, stream)

    def _parameters(self, place: str) -> str:
        """Returns the values of the parameters of a place, and adds their arguments."""
        pairs: list[str] = []
        for given in self._operation.get("parameters", []):
            parameter = self._resolve(given)
            name = parameter["name"]
            if parameter["in"] != place:
                continue
            type_ = _qualify(self._models.type_of(parameter["schema"], pascal(self._type, name)))
            if parameter.get("style") == "deepObject":
                type_ = "Mapping[str, str]"
            if not parameter.get("required", False):
                self._keywords.append(f"{argument(name)}: {type_} | None = None")
            elif place == "path":
                self._positional.append(f"{argument(name)}: {type_}")
            else:
                self._keywords.append(f"{argument(name)}: {type_}")
            pairs.append(f'"{name}": {argument(name)}')
        return f"{{{', '.join(pairs)}}}"

    def _body(self) -> tuple[str, bool]:
        request = self._resolve(self._operation.get("requestBody") or {"content": {}})
        content = request["content"]
        if not content:
            return "None", False
        is_upload = "text/csv" in content
        schema = content.get("application/json", {}).get("schema", {})
        type_ = "Upload" if is_upload else _qualify(self._models.type_of(schema, f"{self._type}Request"))
        self._positional.append(f"body: {type_}" if request.get("required", False) else f"body: {type_} | None = None")
        return "body", is_upload

    def _endpoint(self, kind: str, id_field: str, is_upload: bool) -> str:
        security = self._operation.get("security", self._document.get("security", []))
        flags = {
            "is_public": security == [] or {} in security,
            "is_upload": is_upload,
            "has_key": self._verb in ("POST", "PATCH") and not is_upload and self._id != "auth.exchangeToken",
            "is_long": self._is_run,
        }
        given = "".join(f", {name}=True" for name, value in flags.items() if value)
        field = "" if id_field == "id" else f', id_field="{id_field}"'
        return f'Endpoint("{self._id}", "{self._verb}", "{self._path}", "{kind}"{given}{field})'

    def _result(self) -> tuple[str, str, str]:
        """Returns the kind of the result, its type, and the field with the id of a deleted resource."""
        contents = [response.get("content", {}) for _, response in self._success]
        schemas = [content["application/json"]["schema"] for content in contents if "application/json" in content]
        if not schemas:
            is_stream = any("text/event-stream" in content for content in contents)
            return "events" if is_stream else "file", "Any", "id"
        envelopes = [self._models.resolve(schema).get("properties", {}) for schema in schemas]
        first = envelopes[0]
        if not {"success", "data"} <= first.keys():
            return "bare", self._typed(schemas[0], "Response"), "id"
        data = self._models.resolve(first["data"])
        if "pagination" in first:
            return "page", self._typed(data["items"], "Item"), "id"
        if self._verb == "DELETE" and "deleted" in data.get("properties", {}):
            return "deleted", "Deleted", next(name for name in data["properties"] if name != "deleted")
        result = " | ".join(dict.fromkeys(self._typed(envelope["data"], "Data") for envelope in envelopes))
        return ("data", result, "id") if len(schemas) == 1 else ("status", f"Result[{result}]", "id")

    def _typed(self, schema: Any, suffix: str) -> str:
        return _qualify(self._models.type_of(schema, self._type + suffix))

    def _events_path(self) -> str:
        """Returns the path at which the events of a run continue."""
        paths: dict[str, Any] = self._document["paths"]
        return next(
            path for path, item in paths.items() if item.get("get", {}).get("operationId") == "ai.streamRunEvents"
        )

    def _resolve(self, given: Any) -> Any:
        found = self._document if "$ref" in given else given
        for part in given.get("$ref", "#/").removeprefix("#/").split("/"):
            found = found[part] if part else found
        return found


def _define(head: str, doc: str, value: str) -> str:
    return f"\n    {head}:\n        {doc}\n        return {value}\n"


def _qualify(type_: str) -> str:
    """Adds the module to the names of models. Values of Literal stay as they are."""
    names = r"\b(?!Literal\b|None\b|Any\b|Mapping\b|True\b|False\b)([A-Z]\w*)"
    parts = re.split(r"('[^']*')", type_)
    return "".join(part if index % 2 else re.sub(names, r"models.\1", part) for index, part in enumerate(parts))
