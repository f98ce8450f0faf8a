import { startTestService, type TestResponse, type TestService } from '@wp/testkit'
import { definition } from '../../src/index.ts'

type Caller = NonNullable<Parameters<TestService['request']>[2]>['caller']

/** The service, and the requests its tests make all the time. */
export interface DataService extends TestService {
  createSource(fields?: Record<string, unknown>, caller?: Caller): Promise<string>
  upload(sourceId: string, contentType: string, rawBody: Body, headers?: Record<string, string>): Promise<TestResponse>
  get(path: string): Promise<TestResponse>
  /** All pages of a list, in order. */
  // biome-ignore lint/suspicious/noExplicitAny: as the answers they come from
  listAll(path: string): Promise<any[]>
}

type Body = string | Uint8Array | ReadableStream<Uint8Array>

export async function startDataService(env: Record<string, string> = {}): Promise<DataService> {
  const service = await startTestService(definition, env)
  const get = (path: string) => service.request('GET', path)
  return {
    ...service,
    get,
    async createSource(fields = {}, caller = {}) {
      const body = { name: 'Occupancy', provider: 'upload', ...fields }
      const answer = await service.request('POST', '/v1/data/sources', { body, caller })
      if (answer.status !== 201) throw new Error(`no source was created: ${JSON.stringify(answer.body)}`)
      return answer.body.data.data_source_id
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

/** A body that is sent in pieces. */
export function streamOf(pieces: Iterable<string> | AsyncIterable<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return ReadableStream.from(
    (async function* () {
      for await (const piece of pieces) yield encoder.encode(piece)
    })(),
  )
}
