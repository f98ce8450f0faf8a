import { eventually, type TestFleet } from '@wp/testkit'
import { requireOk } from '../harness/fleet.ts'
import type { Collection } from './beir-collection.ts'

/** Uploads chunks of NDJSON records with `id`, `title` and `text` to a new source. @throws Error if a record fails */
export async function upload(
  fleet: TestFleet,
  as: string,
  chunks: Generator<Uint8Array>,
  embed = false,
): Promise<void> {
  const { counts } = await sendRecords(fleet, as, await createSource(fleet, as, embed), chunks)
  if (counts.failed > 0) throw new Error(`upload failed: ${JSON.stringify(counts)}`)
}

/** @returns the id of a source of uploaded records */
export function createSource(fleet: TestFleet, as: string, embed = false): Promise<string> {
  const body = {
    name: 'bench',
    provider: 'upload',
    embed,
    config: { key: 'id', title_field: 'title', text_field: 'text' },
  }
  // The gateway may have cached the previous rate limits of a new workspace.
  return eventually(async () => {
    const created = await fleet.request('POST', '/v1/data/sources', { as, body })
    return created.status === 201 && created.body.data.data_source_id
  })
}

/** @returns `data` of the response: a sync */
export const sendRecords = (fleet: TestFleet, as: string, sourceId: string, chunks: Generator<Uint8Array>) =>
  requireOk(
    fleet.request('POST', `/v1/data/sources/${sourceId}/records`, {
      as,
      rawBody: ReadableStream.from(chunks),
      headers: { 'content-type': 'application/x-ndjson' },
    }),
  )

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
