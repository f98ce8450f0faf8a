import { hash } from 'node:crypto'
import { Problem, type SourceFormat } from '@wp/contracts'
import { createRowsCheck } from '../../ingest/check-fields.ts'
import type { Row } from '../../parsers/row.ts'
import type { StoredFields } from '../../store/sources/observed-fields.ts'
import { createRowBatcher } from '../row-batcher.ts'
import type { CrawlRequest, Page } from '../source-reader.ts'
import type { BucketClient } from './bucket-client.ts'
import { ObjectUnavailable } from './error-response.ts'
import { type ObjectConfig, openObject } from './open-object.ts'
import type { ListedObject } from './parse-listing.ts'

export interface ObjectLimits {
  /** Largest object, also when decompressed. */
  maxObjectBytes: number
}

interface ObjectContext {
  /** The known part of the format. */
  known: SourceFormat
  /** Fields of the records of the source, one of which the object must have. */
  knownFields: StoredFields
  progress: Pick<Page, 'progress'>
  /** Milliseconds since 1970. */
  now: () => number
}

/** Attempts to read an object that is replaced before its first page. */
const maxVersions = 3

/** Returns what must change for an object to be read again: its content, or the way it is parsed. */
export function objectVersion(
  { etag, size, lastModified }: ListedObject,
  { format, rows_path, charset }: ObjectConfig,
): string {
  // Of the format only the type counts, which is never pinned; a user who changes the format discards all versions.
  const type = typeof format === 'string' ? format : (format.type ?? 'auto')
  const parsing = hash('sha256', JSON.stringify([type, rows_path, charset]), 'base64url').slice(0, 8)
  return `${etag ?? lastModified} ${size} ${parsing}`
}

/**
 * Reads the rows of one object. An object that cannot be read yields one bad row with the reason; its earlier records
 * are kept, and the next crawl tries again.
 * @returns the known part of the format after it
 */
export async function* readObject(
  client: BucketClient,
  listed: ListedObject,
  request: Pick<CrawlRequest<ObjectConfig>, 'config' | 'protection'>,
  { known, knownFields, progress, now }: ObjectContext,
  limits: ObjectLimits,
): AsyncGenerator<Page, SourceFormat> {
  const { config } = request
  const { key } = listed
  const unreadable = (rows: Row[], reason: string): Page => {
    const line = rows.at(-1)?.line ?? 1
    return { rows: [...rows, { line, reason }], part: key, unchangedParts: [key], ...progress }
  }
  let object: ListedObject | undefined = listed
  for (let attempt = 1; object !== undefined; attempt++) {
    if (object.size > limits.maxObjectBytes) {
      yield unreadable([], `is larger than ${limits.maxObjectBytes / 1_048_576} MiB`)
      return known
    }
    const batcher = createRowBatcher(undefined)
    let hasYielded = false
    try {
      const content = await openObject(client, object, request, known, limits.maxObjectBytes, now)
      const { format, warnings } = content
      const head = { part: key, ...(format === undefined ? {} : { format }), warnings, ...progress }
      const check = createRowsCheck(config, knownFields)
      for await (const rows of content.rows) {
        check.add(rows)
        batcher.add(rows)
        for (let page = batcher.takeFull(); page !== undefined; page = batcher.takeFull()) {
          check.assert()
          hasYielded = true
          yield { rows: page, ...head }
        }
      }
      check.assert()
      yield { rows: batcher.rest(), ...head, completedPart: { version: objectVersion(object, config) } }
      return format?.detected ?? known
    } catch (error) {
      if (error instanceof Problem) {
        yield unreadable(error.code === 'unexpected_format' ? [] : batcher.rest(), error.detail)
        return known
      }
      if (!(error instanceof ObjectUnavailable)) throw error
      if (error.reason === 'archived' || hasYielded || attempt === maxVersions) {
        const isArchived = error.reason === 'archived'
        yield unreadable(
          batcher.rest(),
          isArchived ? 'is archived: it must be restored to be read' : 'was replaced while it was read',
        )
        return known
      }
      object = await findCurrentObject(client, key)
    }
  }
  return known
}

/** Finds the current version of an object; undefined if it was deleted. */
async function findCurrentObject(client: BucketClient, key: string): Promise<ListedObject | undefined> {
  const { objects } = await client.list({ prefix: key, limit: 10 })
  return objects.find((object) => object.key === key)
}
