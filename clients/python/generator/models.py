"""Writes a TypedDict or an alias for every schema."""

from __future__ import annotations

import keyword
from typing import Any

from .text import docstring, pascal

_HEADER = '''"""Generated from the OpenAPI document: the shapes of requests and responses."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict
'''
_SIMPLE = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


class Models:
    """The models of the schemas that are used."""

    def __init__(self, document: Any) -> None:
        self._schemas: dict[str, Any] = document["components"]["schemas"]
        self._written: dict[str, str] = {}

    def resolve(self, schema: Any) -> Any:
        """Returns a schema, after its reference."""
        return self._schemas[schema["$ref"].rsplit("/", 1)[1]] if "$ref" in schema else schema

    def type_of(self, schema: Any, name: str) -> str:
        """Returns the type of a schema. `name` is that of a TypedDict, if the schema needs one and has no name."""
        if "$ref" in schema:
            target = str(schema["$ref"]).rsplit("/", 1)[1]
            self._define(target, self._schemas[target])
            return target
        values = [schema["const"]] if "const" in schema else schema.get("enum")
        if values is not None:  # a Literal has no floating-point numbers
            has_float = any(isinstance(value, float) for value in values)
            return "float" if has_float else f"Literal[{', '.join(repr(value) for value in values)}]"
        options = schema.get("anyOf", schema.get("oneOf"))
        types = schema.get("type", "object" if "properties" in schema else None)
        if options is not None:
            return _union(self.type_of(option, f"{name}{index}") for index, option in enumerate(options, 1))
        if isinstance(types, list):
            return _union(self.type_of({**schema, "type": option}, name) for option in types)
        if types == "array":
            return f"list[{self.type_of(schema.get('items', {}), f'{name}Item')}]"
        return self._object(schema, name) if types == "object" else _SIMPLE.get(types, "Any")

    def _object(self, schema: Any, name: str) -> str:
        if schema.get("properties"):
            self._define(name, schema)
            return name
        values = schema.get("additionalProperties", True)
        return f"dict[str, {self.type_of(values, f'{name}Value') if isinstance(values, dict) else 'Any'}]"

    def _define(self, name: str, schema: Any) -> None:
        if name in self._written:
            return
        self._written[name] = ""  # a schema may contain itself
        if schema.get("type", "object") == "object" and schema.get("properties"):
            self._written[name] = self._typed_dict(name, schema)
        else:
            self._written[name] = f'{name}: TypeAlias = "{self.type_of(schema, f"{name}Value")}"\n'

    def _typed_dict(self, name: str, schema: Any) -> str:
        required = schema.get("required", [])
        members = schema["properties"]
        types = {field: self.type_of(member, name + pascal(field)) for field, member in members.items()}
        types = {field: type_ if field in required else f"NotRequired[{type_}]" for field, type_ in types.items()}
        if any(not field.isidentifier() or keyword.iskeyword(field) for field in types):
            pairs = ", ".join(f'"{field}": "{type_}"' for field, type_ in types.items())
            return f'{name} = TypedDict("{name}", {{{pairs}}})\n'
        lines = [f"class {name}(TypedDict):"]
        if "description" in schema:
            lines.append("    " + docstring(schema["description"], "    "))
        for field, type_ in types.items():
            lines += [f"    #: {line}" for line in members[field].get("description", "").splitlines()]
            lines.append(f"    {field}: {type_}")
        return "\n".join(lines) + "\n"

    def write(self) -> str:
        """Returns the module with every model that was used."""
        return "\n\n".join([_HEADER, *self._written.values()])


def _union(options: Any) -> str:
    return " | ".join(dict.fromkeys(options))
