import type { Client } from './client-type.ts'
import { type Credential, createCredentialSource, type TokenResponse } from './credentials.ts'
import type { EndpointEntry, EndpointTable } from './endpoint-table.ts'
import { ApiError } from './errors.ts'
import { buildRequest, type CallOptions, type EndpointInput } from './request.ts'
import { readResult } from './result.ts'
import { rejectOnAbort, send } from './send.ts'

export interface ClientOptions {
  /** Address of the platform, `https://…`; with the path of a proxy in front of it, if there is one. */
  baseUrl: string
  credential: Credential
  /** Sent as `x-workspace-key`. Required if the credential does not name a workspace. */
  workspaceId?: string
  /** Headers of every request. Those of a call replace them. */
  headers?: Readonly<Record<string, string>>
  /** Time limit of one attempt, default 30,000. Uploads have none. */
  timeoutMs?: number
  /** Retries after 429, 502, 503, 504 or a broken connection, default 2. */
  maxRetries?: number
}

/**
 * Creates a client of the endpoints of a table, as `createClient` does of the contracts. Runs in browsers. The type of the
 * client is that of all public endpoints: a method that is not in the table is undefined.
 */
export function createClientFromTable(options: ClientOptions, table: EndpointTable): Client {
  const { maxRetries = 2, timeoutMs = 30_000, headers = {} } = options
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  const workspace = options.workspaceId === undefined ? {} : { 'x-workspace-key': options.workspaceId }
  const credentials = createCredentialSource(options.credential, async (body) => {
    const request = buildRequest(baseUrl, findEntry(table, 'auth.exchangeToken'), { body }, { headers })
    const { body: token } = await send(request, {}, { signal: undefined, timeoutMs, maxRetries })
    return token as TokenResponse // declared by the contract
  })

  async function call(endpoint: EndpointEntry, input: EndpointInput, callOptions: CallOptions): Promise<unknown> {
    const { signal } = callOptions
    const request = buildRequest(baseUrl, endpoint, input, {
      ...callOptions,
      headers: { ...headers, ...callOptions.headers },
    })
    const limits = { signal, timeoutMs: endpoint.input === 'stream' ? undefined : timeoutMs, maxRetries }
    if (endpoint.credentials === 'none') return readResult(endpoint, await send(request, {}, limits))
    const authHeaders = await rejectOnAbort(credentials.headers(), signal)
    try {
      return readResult(endpoint, await send(request, { ...workspace, ...authHeaders }, limits))
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error
      const renewedHeaders = await rejectOnAbort(credentials.renew(authHeaders), signal)
      if (renewedHeaders === undefined || !request.isRepeatable) throw error
      return readResult(endpoint, await send(request, { ...workspace, ...renewedHeaders }, limits))
    }
  }

  const client: Record<string, Record<string, unknown>> = {}
  for (const endpoint of table) {
    const [surface = '', verb = ''] = endpoint.id.split('.')
    client[surface] ??= {}
    client[surface][verb] = (input: EndpointInput = {}, callOptions: CallOptions = {}) =>
      call(endpoint, input, callOptions)
  }
  return client as unknown as Client // the table is made from the contracts that define the type
}

function findEntry(table: EndpointTable, id: string): EndpointEntry {
  const entry = table.find((candidate) => candidate.id === id)
  if (entry === undefined) throw new Error(`the endpoint table has no ${id}`)
  return entry
}
