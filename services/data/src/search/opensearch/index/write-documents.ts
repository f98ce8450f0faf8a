import { z } from 'zod'
import type { OpenSearchClient } from '../client/opensearch-client.ts'
import { writeAlias } from './index-definition.ts'
import type { SearchDocument } from './search-document.ts'

/** A document to write, or to delete if it is undefined. */
export interface DocumentWrite {
  recordId: string
  workspaceId: string
  version: string
  document: SearchDocument | undefined
}

export interface WriteResult {
  /** Written, or replaced by a newer version before. */
  written: DocumentWrite[]
  /** To be written again, for example because a shard has no node at the moment. */
  failed: DocumentWrite[]
  /** The search engine will never accept them. */
  rejected: { write: DocumentWrite; reason: string }[]
}

/** Size of the body of a request. A larger document has a request of its own. */
const maxBodyBytes = 5 * 1024 * 1024
/** Shorter than the claim of changes. */
const timeoutMs = 30_000

/**
 * Writes documents to one index. A document replaces those of lower versions only, so writes may be repeated and arrive
 * in any order.
 * @throws SearchEngineUnavailable, SearchEngineError; Error if the index is missing
 */
export async function writeDocuments(
  client: OpenSearchClient,
  indexName: string,
  writes: readonly DocumentWrite[],
  signal?: AbortSignal,
): Promise<WriteResult> {
  const total: WriteResult = { written: [], failed: [], rejected: [] }
  for (const { body, part } of splitIntoBodies(writes)) {
    // Through the alias, because a write to a missing index would create it.
    const path = `/${writeAlias(indexName)}/_bulk?require_alias=true&filter_path=items.*.status,items.*.error.type,items.*.error.reason`
    const response = BulkResponse.parse(await client.request('POST', path, { body, signal, timeoutMs }))
    for (const [nth, write] of part.entries()) {
      const item = Object.values(response.items[nth] ?? {})[0]
      if (item?.error?.type === 'index_not_found_exception') throw new Error(`the index ${indexName} is missing`)
      sortResult(total, write, item)
    }
  }
  return total
}

const BulkItem = z.object({
  status: z.number(),
  error: z.object({ type: z.string(), reason: z.string().nullish() }).optional(),
})
const BulkResponse = z.object({
  // unbounded: one entry for each write of the request
  items: z.array(z.record(z.string(), BulkItem)),
})

function sortResult(total: WriteResult, write: DocumentWrite, item: z.infer<typeof BulkItem> | undefined): void {
  const { status, error } = item ?? { status: 500, error: undefined }
  // 409: a newer version is there. 404 without an error: the deleted document did not exist.
  if (status < 300 || status === 409 || (status === 404 && error === undefined)) total.written.push(write)
  else if (status === 400) total.rejected.push({ write, reason: `${error?.type}: ${error?.reason}` })
  else total.failed.push(write)
}

function* splitIntoBodies(writes: readonly DocumentWrite[]): Generator<{ body: string; part: DocumentWrite[] }> {
  let [body, bytes, part] = ['', 0, [] as DocumentWrite[]]
  for (const write of writes) {
    const lines = toLines(write)
    const size = Buffer.byteLength(lines)
    if (bytes > 0 && bytes + size > maxBodyBytes) {
      yield { body, part }
      ;[body, bytes, part] = ['', 0, []]
    }
    body += lines
    bytes += size
    part.push(write)
  }
  if (part.length > 0) yield { body, part }
}

function toLines({ recordId, workspaceId, version, document }: DocumentWrite): string {
  const target = { _id: recordId, routing: workspaceId, version: Number(version), version_type: 'external_gte' }
  return document === undefined
    ? `${JSON.stringify({ delete: target })}\n`
    : `${JSON.stringify({ index: target })}\n${JSON.stringify(document)}\n`
}
