import { problem, type S3Config, type SourceFormat, type SyncWarning } from '@wp/contracts'
import { createDocumentMapper } from '../../ingest/document-mapper.ts'
import { openTable } from '../../intake/open-table.ts'
import { assertDocumentAllowed } from '../../intake/problems.ts'
import { parseDocument } from '../../parsers/document/parse-document.ts'
import { gunzipIfCompressed } from '../../parsers/encoding/gunzip.ts'
import { formatForPath, isMarkdownPath } from '../../parsers/format.ts'
import { createJsonDocumentParser } from '../../parsers/json/json-document-parser.ts'
import type { Row } from '../../parsers/row.ts'
import { type DetectedFormat, storableFormat } from '../../schema/source-format.ts'
import type { CrawlRequest } from '../source-reader.ts'
import type { BucketClient } from './bucket-client.ts'
import type { ListedObject } from './parse-listing.ts'

/** The settings of objects, of whatever store they are. */
export type ObjectConfig = Omit<S3Config, 'prefix' | 'pattern'>

/** An object whose format is known. */
export interface OpenedObject {
  /** Undefined for a document, which has no columns. */
  format: DetectedFormat | undefined
  warnings: SyncWarning[]
  /** Yields the rows in batches. @throws Problem with cause and position */
  rows: AsyncGenerator<Row[]>
}

/** Suffixes of files that their bytes tell apart; `formatForPath` knows those of other texts. */
const recognizedFiles = /\.(?:xlsx|xlsm|parquet|ics|ical|zip|gz)$/i

const mediaTypes: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
}

/** Returns the media type of an object by its suffix: stores keep no reliable type. Empty if it is unknown. */
export const mediaTypeOf = (key: string): string => mediaTypes[formatForPath(key) ?? ''] ?? ''

/** Opens an object: a document, or a table of any type. @throws Problem, or the error of reading it */
export async function openObject(
  client: Pick<BucketClient, 'read'>,
  object: ListedObject,
  { config, protection }: Pick<CrawlRequest<ObjectConfig>, 'config' | 'protection'>,
  known: SourceFormat,
  maxBytes: number,
  now: () => number,
): Promise<OpenedObject> {
  const { key, size } = object
  const type = known.type ?? formatForPath(key)
  if (type === undefined && !recognizedFiles.test(key))
    throw problem('unsupported_media_type', {
      detail: 'has no known extension: set `format`, or exclude it with `pattern`',
    })
  const chunks = size === 0 ? noBytes() : client.read(object)
  if (type === 'html' || type === 'text') {
    assertDocumentAllowed(protection)
    const toRow = createDocumentMapper(config, { key })
    const fileName = key.slice(key.lastIndexOf('/') + 1)
    const rows = parseDocument(type, gunzipIfCompressed(chunks, maxBytes), {
      toRow: (document) => toRow({ ...document, title: document.title ?? fileName }),
      isMarkdown: isMarkdownPath(key),
      charset: undefined,
      defaultCharset: config.charset,
    })
    return { format: undefined, warnings: [], rows }
  }
  const table = await openTable({
    chunks,
    contentType: mediaTypeOf(key),
    charset: config.charset,
    fileName: key,
    format: known,
    declarations: config,
    keyField: config.key,
    protection,
    maxBytes,
    now,
    createJsonParser: () => createJsonDocumentParser({ rowsPointer: config.rows_path }),
  })
  return {
    // A bucket may hold objects of several types, so the type is not pinned.
    format: { known, detected: storableFormat({ known, detected: table.format }, false) },
    warnings: table.warnings,
    rows: table.rows(),
  }
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}
