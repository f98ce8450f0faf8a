/** A response with its body, parsed if it is JSON. */
export interface RawResponse {
  status: number
  headers: Headers
  /** Value of `x-request-id`, for support. */
  requestId: string | undefined
  body: unknown
}

/** A result with the response that it was read from. */
export interface CompletedCall<T> {
  data: T
  response: RawResponse
}

/** The promise of the result of a method. The request is sent at once. */
export interface Call<T> extends Promise<T> {
  /** Returns the result with status, header fields and body of its response. */
  withResponse(): Promise<CompletedCall<T>>
}

/** A page of a list. */
export interface ListPage<Item> {
  items: Item[]
  /** Opaque cursor of the next page; null on the last one. */
  nextCursor: string | null
}

/**
 * The promise of the first page of a list. `for await` iterates over the items of all pages; a page is requested when
 * the items of the one before are used up.
 */
export interface ListCall<Page extends ListPage<unknown>> extends Call<Page>, AsyncIterable<Page['items'][number]> {
  /** Iterates over the pages. */
  pages(): AsyncGenerator<Page, void, undefined>
}

/** Creates the call of a request that is in progress. */
export function createCall<T>(completed: Promise<CompletedCall<T>>): Call<T> {
  const result = completed.then(({ data }) => data)
  const withResponse = () => {
    result.catch(() => undefined) // the caller handles the rejection of `completed`
    return completed
  }
  return Object.assign(result, { withResponse })
}

/** Creates the call of a list. @param next requests the page at a cursor */
export function createListCall<Page extends ListPage<unknown>>(
  completed: Promise<CompletedCall<Page>>,
  next: (cursor: string) => Promise<Page>,
): ListCall<Page> {
  const call = createCall(completed)
  async function* pages(): AsyncGenerator<Page, void, undefined> {
    let page = await call
    yield page
    while (page.nextCursor !== null) {
      page = await next(page.nextCursor)
      yield page
    }
  }
  async function* items(): AsyncGenerator<unknown, void, undefined> {
    for await (const page of pages()) yield* page.items
  }
  // The items are those of the pages; the type of an item of `Page` cannot be named in a generator.
  return Object.assign(call, { pages, [Symbol.asyncIterator]: items }) as ListCall<Page>
}

/** Iterates over all items of a list. The next page is requested when the items of the previous one are used up. */
export async function* paginate<T>(
  list: (cursor: string | undefined) => Promise<{ items: T[]; nextCursor: string | null }>,
): AsyncGenerator<T> {
  let cursor: string | undefined
  do {
    const page = await list(cursor)
    yield* page.items
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
}
