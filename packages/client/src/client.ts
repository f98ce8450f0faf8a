import { type ClientOptions, createClientFromTable } from './client-from-table.ts'
import type { Client } from './client-type.ts'
import { createEndpointTable } from './create-endpoint-table.ts'

/**
 * Creates a client of the platform from the contracts. A list returns a page `{ items, nextCursor }`; `paginate` iterates
 * over all of them. An endpoint with several success statuses returns `{ status, data }`. A rejected token is renewed and
 * the call repeated once, unless its body was a stream, which cannot be sent again.
 *
 * Calls reject with ApiError for an error response, with the error of `fetch` if there is no response, and with the
 * reason of an aborted signal.
 */
export const createClient = (options: ClientOptions): Client => createClientFromTable(options, createEndpointTable())
