import { eventually, type TestFleet } from '@wp/testkit'
import { requireOk } from '../harness/fleet.ts'

/** Uploads NDJSON records with `id`, `title` and `text` to a new source. @throws Error if a record fails */
export async function upload(fleet: TestFleet, as: string, lines: Iterable<string>, embed = false): Promise<void> {
  const { counts } = await sendRecords(fleet, as, await createSource(fleet, as, embed), lines)
  if (counts.failed > 0) throw new Error(`upload failed: ${JSON.stringify(counts)}`)
}

/** @returns the id of a source of uploaded records */
export function createSource(fleet: TestFleet, as: string, embed = false): Promise<string> {
  const config = { key: 'id', title_field: 'title', text_field: 'text' }
  const body = { name: 'bench', provider: 'upload', embed, config }
  // The gateway may have cached the previous rate limits of a new workspace.
  return eventually(async () => {
    const created = await fleet.request('POST', '/v1/data/sources', { as, body })
    return created.status === 201 && created.body.data.data_source_id
  })
}

/** @returns `data` of the response: a sync */
export function sendRecords(
  fleet: TestFleet,
  as: string,
  sourceId: string,
  lines: Iterable<string>,
  contentType = 'application/x-ndjson',
) {
  const records = { as, rawBody: ReadableStream.from(inChunks(lines)), headers: { 'content-type': contentType } }
  return requireOk(fleet.request('POST', `/v1/data/sources/${sourceId}/records`, records))
}

function* inChunks(lines: Iterable<string>): Generator<Uint8Array> {
  let text = ''
  for (const line of lines) {
    text += line
    if (text.length < 65_536) continue
    yield Buffer.from(text)
    text = ''
  }
  if (text !== '') yield Buffer.from(text)
}
