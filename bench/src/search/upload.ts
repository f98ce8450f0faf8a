import { eventually, type TestFleet } from '@wp/testkit'
import type { Collection } from './collection.ts'

/** Uploads chunks of NDJSON records with `id`, `title` and `text` to a new source. @throws Error if a record fails */
export async function upload(fleet: TestFleet, as: string, chunks: Generator<Uint8Array>): Promise<void> {
  const body = { name: 'bench', provider: 'upload', config: { key: 'id', title_field: 'title', text_field: 'text' } }
  // The gateway may have cached the previous rate limits of a new workspace.
  const source = await eventually(async () => {
    const created = await fleet.request('POST', '/v1/data/sources', { as, body })
    return created.status === 201 && created.body.data.data_source_id
  })
  const response = await fleet.request('POST', `/v1/data/sources/${source}/records`, {
    as,
    rawBody: ReadableStream.from(chunks),
    headers: { 'content-type': 'application/x-ndjson' },
  })
  if (response.status > 202 || response.body.data.counts.failed > 0)
    throw new Error(`upload failed: ${response.status} ${JSON.stringify(response.body)}`)
}

/** Search results contain the URL of a record, so the URL contains the id of the document. */
const urlPrefix = 'https://collection.example/'

export const idOfUrl = (url: string): string => decodeURIComponent(url.slice(urlPrefix.length))

/** Generates the records of the documents of a collection. */
export function* recordsOf(documents: Collection['documents']): Generator<Uint8Array> {
  for (const { id, title, text } of documents) {
    const url = urlPrefix + encodeURIComponent(id)
    yield Buffer.from(`${JSON.stringify({ id, title, text, url })}\n`)
  }
}
