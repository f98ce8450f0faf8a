import { type ClientOptions, createClientFromTable } from './client-from-table.ts'
import type { Client } from './contracts/client-type.ts'
import { endpoints } from './contracts/endpoints.ts'

/**
 * Creates a client of the platform from the contracts. A list returns a page `{ items, nextCursor }`; `for await`
 * iterates over the items of all pages. An endpoint with several success statuses returns `{ status, data }`. A
 * rejected token is renewed and the call repeated once, unless its body was a stream, which cannot be sent again.
 *
 * Calls reject with a subclass of ApiError for an error response, with NetworkError if there is no complete response,
 * with a DOMException named TimeoutError after the time limit, and with the reason of an aborted signal.
 */
export const createClient = (options: ClientOptions): Client => createClientFromTable(options, endpoints)
