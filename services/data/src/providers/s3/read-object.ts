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
  /** Largest object, also when decompressed. */
  maxObjectBytes: number
}

const maxPageRows = 1_000
/** Rows are yielded after this much text, in UTF-16 code units. */
const maxPageCharacters = 1024 * 1024
/** Attempts to read an object that is replaced before its first page. */
const maxVersions = 3

/** Returns what must change for an object to be read again: its content, or the way it is parsed. */
export function objectVersion(
  { etag, size, lastModified }: ListedObject,
  { format, rows_path, charset }: S3Config,
): string {
  const parsing = hash('sha256', JSON.stringify([format, rows_path, charset]), 'base64url').slice(0, 8)
  return `${etag ?? lastModified} ${size} ${parsing}`
}

/**
 * Reads the rows of one object. An object that cannot be read yields one bad row with the reason; its earlier records
 * are kept, and the next crawl tries again.
 */
export async function* readObject(
  client: BucketClient,
  listed: ListedObject,
  config: S3Config,
  limits: ObjectLimits,
): AsyncGenerator<Page> {
  const { key } = listed
  const unreadable = (rows: Row[], reason: string): Page => {
    const line = rows.at(-1)?.line ?? 1
    return { rows: [...rows, { line, reason }], part: key, unchangedParts: [key] }
  }
  const configured = typeof config.format === 'string' ? config.format : (config.format.type ?? 'auto')
  if (configured === 'xlsx' || configured === 'parquet') return yield unreadable([], 'is not supported')
  const format = configured === 'auto' ? formatForPath(key) : configured
  if (format === undefined)
    return yield unreadable([], 'has no known extension: set `format`, or exclude it with `pattern`')

  let object: ListedObject | undefined = listed
  for (let attempt = 1; object !== undefined; attempt++) {
    if (object.size > limits.maxObjectBytes)
      return yield unreadable([], `is larger than ${limits.maxObjectBytes / 1_048_576} MiB`)
    const pending: Row[] = []
    let hasYielded = false
    try {
      for await (const rows of readPages(parseObject(client, object, format, config, limits), pending)) {
        hasYielded = true
        yield { rows, part: key }
      }
      return yield { rows: pending, part: key, completedPart: { version: objectVersion(object, config) } }
    } catch (error) {
      if (error instanceof Problem) return yield unreadable(pending, error.detail)
      if (!(error instanceof ObjectUnavailable)) throw error
      if (error.reason === 'archived') return yield unreadable(pending, 'is archived: it must be restored to be read')
      if (hasYielded || attempt === maxVersions) return yield unreadable(pending, 'was replaced while it was read')
      object = await findCurrentObject(client, key)
    }
  }
}

/** Yields full pages of rows. Rows of the last page, or those before an error, are left in `pending`. */
async function* readPages(chunks: AsyncGenerator<ParsedChunk>, pending: Row[]): AsyncGenerator<Row[]> {
  let characters = 0
  for await (const chunk of chunks) {
    for (const row of chunk.rows) {
      pending.push(row)
      if (pending.length < maxPageRows) continue
      yield pending.splice(0)
      characters = 0
    }
    characters += chunk.characters
    if (characters < maxPageCharacters || pending.length === 0) continue
    yield pending.splice(0)
    characters = 0
  }
}

/** Finds the current version of an object; undefined if it was deleted. */
async function findCurrentObject(client: BucketClient, key: string): Promise<ListedObject | undefined> {
  const { objects } = await client.list({ prefix: key, limit: 10 })
  return objects.find((object) => object.key === key)
}

interface ParsedChunk {
  rows: Row[]
  /** Length of the parsed text, in UTF-16 code units. */
  characters: number
}

async function* parseObject(
  client: BucketClient,
  object: ListedObject,
  format: Format,
  config: S3Config,
  { maxObjectBytes }: ObjectLimits,
): AsyncGenerator<ParsedChunk> {
  const { key, size } = object
  const toRow = createDocumentMapper(config, { key })
  const fileName = key.slice(key.lastIndexOf('/') + 1)
  const parser = createFormatParser(format, {
    rowsPath: config.rows_path,
    toRow: (document) => toRow({ ...document, title: document.title ?? fileName }),
    isMarkdown: isMarkdownPath(key),
  })
  const content = gunzipIfCompressed(size === 0 ? noBytes() : client.read(object), maxObjectBytes)
  const page = format === 'html' ? await sniffHtmlCharset(content) : { chunks: content, charset: undefined }
  for await (const text of decodeText(page.chunks, page.charset ?? config.charset))
    yield { rows: parser.write(text), characters: text.length }
  yield { rows: parser.end(), characters: 0 }
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}
