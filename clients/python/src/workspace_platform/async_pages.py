"""Lists."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from typing import Generic, TypeVar

from .result import Page

T = TypeVar("T")


class AsyncPages(Generic[T]):
    """A list. `async for` iterates over the items of all pages; a page is requested when it is needed."""

    def __init__(self, request_page: Callable[[str | None], Awaitable[Page[T]]], cursor: str | None) -> None:
        self._request_page = request_page
        self._cursor = cursor

    async def first_page(self) -> Page[T]:
        """Returns the first page, or the page at the cursor."""
        return await self._request_page(self._cursor)

    async def pages(self) -> AsyncGenerator[Page[T], None]:
        """Iterates over the pages."""
        page = await self.first_page()
        yield page
        while page.next_cursor is not None:
            page = await self._request_page(page.next_cursor)
            yield page

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for item in page.items:
                yield item
