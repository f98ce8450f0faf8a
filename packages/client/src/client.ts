import { type ClientOptions, createClientFromTable } from './client-from-table.ts'
import type { Client } from './contracts/client-type.ts'
import { endpoints } from './contracts/endpoints.ts'
import type { Credential } from './transport/credentials.ts'

/** The version of the published package. */
export const clientVersion = '0.1.0'

type PartialOptions = Omit<ClientOptions, 'baseUrl' | 'credential'> & Partial<ClientOptions>

/**
 * Creates a client of the platform from the contracts. Without `baseUrl` and `credential` it uses those of the
 * environment: WP_BASE_URL, and WP_API_KEY or WP_TOKEN. A list returns a page `{ items, nextCursor }`; `for await`
 * iterates over the items of all pages. An endpoint with several success statuses returns `{ status, data }`. A
 * rejected token is renewed and the call repeated once, unless its body was a stream, which cannot be sent again.
 *
 * Calls reject with a subclass of ApiError for an error response, with NetworkError if there is no complete response,
 * with a DOMException named TimeoutError after the time limit, and with the reason of an aborted signal.
 * @throws TypeError naming the option, and the variable, that is missing or invalid
 */
export function createClient(options: PartialOptions = {}): Client {
  const { baseUrl = readVariable('WP_BASE_URL'), credential = readCredential(), headers } = options
  if (baseUrl === undefined) throw new TypeError('baseUrl: give the address of the platform, or set WP_BASE_URL')
  const named = new Headers(headers).has('user-agent') ? {} : userAgent()
  return createClientFromTable({ ...options, baseUrl, credential, headers: { ...named, ...headers } }, endpoints)
}

function readCredential(): Credential {
  const [apiKey, accessToken] = [readVariable('WP_API_KEY'), readVariable('WP_TOKEN')]
  if (apiKey !== undefined && accessToken !== undefined)
    throw new TypeError('credential: WP_API_KEY and WP_TOKEN are both set; unset one of them')
  if (apiKey !== undefined) return { apiKey }
  if (accessToken !== undefined) return { accessToken }
  throw new TypeError('credential: give one, or set WP_API_KEY or WP_TOKEN')
}

/** Returns the value of a variable; undefined if it is empty, and in a browser, which has none. */
const readVariable = (name: string): string | undefined => globalThis.process?.env?.[name] || undefined

/** A browser sends its own: another would cost each call a request before it. */
function userAgent(): Record<string, string> {
  const runtime = globalThis.process?.versions?.node
  return runtime === undefined ? {} : { 'user-agent': `workspace-platform-js/${clientVersion} node/${runtime}` }
}
