import { hash } from 'node:crypto'
import { Problem, type S3Config } from '@wp/contracts'
import { createDocumentMapper } from '../../ingest/document-mapper.ts'
import { decodeText } from '../../parsers/encoding/decode-text.ts'
import { gunzipIfCompressed } from '../../parsers/encoding/gunzip.ts'
import { sniffHtmlCharset } from '../../parsers/encoding/html-charset.ts'
import { createFormatParser, type Format, formatForPath, isMarkdownPath } from '../../parsers/format.ts'
import type { Row } from '../../parsers/row.ts'
import type { Page } from '../source-reader.ts'
import type { BucketClient } from './bucket-client.ts'
import { ObjectUnavailable } from './error-response.ts'
import type { ListedObject } from './parse-listing.ts'

export interface ObjectLimits {
  /** Largest object, also unpacked. */
  maxObjectBytes: number
}

const pageRows = 1_000
/** Characters of text; rows of about as many bytes. */
const pageLength = 1024 * 1024

/** What must differ for an object to be read again: what is in it, or how it is read. */
export function objectVersion(
  { etag, size, lastModified }: ListedObject,
  { format, rows_path, charset }: S3Config,
): string {
  const how = hash('sha256', JSON.stringify([format, rows_path, charset]), 'base64url').slice(0, 8)
  return `${etag ?? lastModified} ${size} ${how}`
}

/**
 * The rows of one object. One that cannot be read is one bad row that says why; the records it had stay, and the next
 * crawl tries again.
 */
export async function* readObject(
  store: BucketClient,
  listed: ListedObject,
  config: S3Config,
  limits: ObjectLimits,
): AsyncGenerator<Page> {
  const { key } = listed
  const unreadable = (rows: Row[], reason: string): Page => {
    const last = rows.at(-1)
    return { rows: [...rows, { line: last?.line ?? 1, reason }], part: key, unchangedParts: [key] }
  }
  const format = config.format === 'auto' ? formatForPath(key) : config.format
  if (format === undefined)
    return yield unreadable(
      [],
      'has an ending that says nothing: `format` tells what it is, `pattern` can leave it out',
    )

  let object: ListedObject | undefined = listed
  for (let tried = 1; object !== undefined; tried++) {
    if (object.size > limits.maxObjectBytes)
      return yield unreadable([], `is larger than ${limits.maxObjectBytes / 1_048_576} MiB`)
    const rows: Row[] = []
    let hasBegun = false
    try {
      let length = 0
      for await (const piece of parseObject(store, object, format, config, limits)) {
        for (const row of piece.rows) {
          rows.push(row)
          if (rows.length < pageRows) continue
          hasBegun = true
          yield { rows: rows.splice(0), part: key }
          length = 0
        }
        length += piece.length
        if (length < pageLength || rows.length === 0) continue
        hasBegun = true
        yield { rows: rows.splice(0), part: key }
        length = 0
      }
      return yield { rows, part: key, completedPart: { version: objectVersion(object, config) } }
    } catch (error) {
      if (error instanceof Problem) return yield unreadable(rows, error.detail)
      if (!(error instanceof ObjectUnavailable)) throw error
      if (error.reason === 'archived') return yield unreadable(rows, 'is archived: it must be restored to be read')
      if (hasBegun || tried === maxVersions) return yield unreadable(rows, 'was replaced while it was read')
      object = await findCurrentObject(store, key)
    }
  }
}

const maxVersions = 3

/** The object as it is now. */
async function findCurrentObject(store: BucketClient, key: string): Promise<ListedObject | undefined> {
  const { objects } = await store.list({ prefix: key, limit: 10 })
  return objects.find((object) => object.key === key)
}

/** Rows as they are found, and of how much text. */
async function* parseObject(
  store: BucketClient,
  object: ListedObject,
  format: Format,
  config: S3Config,
  { maxObjectBytes }: ObjectLimits,
): AsyncGenerator<{ rows: Row[]; length: number }> {
  const { key, size } = object
  const named = createDocumentMapper(config, { key })
  const name = key.slice(key.lastIndexOf('/') + 1)
  const reader = createFormatParser(format, {
    rowsPath: config.rows_path,
    toRow: (document) => named({ ...document, title: document.title ?? name }),
    isMarkdown: isMarkdownPath(key),
  })
  const plain = gunzipIfCompressed(size === 0 ? nothing() : store.read(object), maxObjectBytes)
  const page = format === 'html' ? await sniffHtmlCharset(plain) : { chunks: plain, charset: undefined }
  for await (const text of decodeText(page.chunks, page.charset ?? config.charset))
    yield { rows: reader.write(text), length: text.length }
  yield { rows: reader.end(), length: 0 }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
