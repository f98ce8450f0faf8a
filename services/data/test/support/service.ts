import { defineService } from '@wp/service'
import { startTestService, type TestResponse, type TestService } from '@wp/testkit'
import { config } from '../../src/config.ts'
import { type Context, createContext } from '../../src/context.ts'
import { createService } from '../../src/service.ts'

type Caller = NonNullable<Parameters<TestService['request']>[2]>['caller']

/** The data service, with helpers for common requests. */
export interface DataService extends TestService {
  createSource(fields?: Record<string, unknown>, caller?: Caller): Promise<string>
  upload(sourceId: string, contentType: string, rawBody: Body, headers?: Record<string, string>): Promise<TestResponse>
  get(path: string): Promise<TestResponse>
  /** Returns the items of all pages of a list. */
  // biome-ignore lint/suspicious/noExplicitAny: response bodies are not typed
  listAll(path: string): Promise<any[]>
  /** Resolves when searches find what was stored before. */
  settle(): Promise<void>
}

type Body = string | Uint8Array | ReadableStream<Uint8Array>

/** @param parts replace those of the context */
export async function startDataService(
  env: Record<string, string> = {},
  parts: Partial<Context> = {},
): Promise<DataService> {
  const definition = defineService({
    name: 'data',
    config,
    createContext: async (settings, runtime) => ({ ...(await createContext(settings, runtime)), ...parts }),
    createService,
  })
  const service = await startTestService(definition, env)
  const get = (path: string) => service.request('GET', path)
  return {
    ...service,
    get,
    settle: async () => {},
    async createSource(fields = {}, caller = {}) {
      const body = { name: 'Occupancy', provider: 'upload', ...fields }
      const response = await service.request('POST', '/v1/data/sources', { body, caller })
      if (response.status !== 201) throw new Error(`failed to create a source: ${JSON.stringify(response.body)}`)
      return response.body.data.data_source_id
    },
    upload: (sourceId, contentType, rawBody, headers = {}) =>
      service.request('POST', `/v1/data/sources/${sourceId}/records`, {
        rawBody,
        headers: { 'content-type': contentType, ...headers },
      }),
    async listAll(path) {
      const items = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = await get(`${path}?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`)
        items.push(...page.body.data)
        cursor = page.body.pagination.next_cursor
      }
      return items
    },
  }
}

/** Returns a body that arrives in these chunks. */
export function streamOf(chunks: Iterable<string> | AsyncIterable<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return ReadableStream.from(
    (async function* () {
      for await (const chunk of chunks) yield encoder.encode(chunk)
    })(),
  )
}
