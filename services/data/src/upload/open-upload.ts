import type { BodyStream, SourceConfig } from '@wp/contracts'
import { createDocumentMapper } from '../ingest/document-mapper.ts'
import { openTable } from '../intake/open-table.ts'
import { assertDocumentAllowed } from '../intake/problems.ts'
import { parseDocument } from '../parsers/document/parse-document.ts'
import { documentTypeForMediaType } from '../parsers/format.ts'
import type { Row } from '../parsers/row.ts'
import type { RowProtection } from '../privacy/row-protection.ts'
import { type DetectedFormat, knownFormatOf, storableFormat } from '../schema/source-format.ts'

/** Properties of a document that the request gives. */
export interface DocumentFields {
  key?: string | undefined
  title?: string | undefined
  url?: string | undefined
}

/** An upload whose format is known. */
export interface OpenedUpload {
  rows: AsyncIterable<Row[]>
  /** Undefined for a document, which has no columns. */
  format: DetectedFormat | undefined
  /** True for a file that is made of rows, as a CSV file or a workbook is, and unlike a list of JSON. */
  isTable: boolean
  warnings: { code: string; message: string; column?: string }[]
}

/**
 * Opens the body of an upload: a document, or a table of any type, with its columns protected.
 * @throws Problem if it cannot be read
 */
export async function openUpload(
  body: BodyStream,
  mapping: SourceConfig,
  documentFields: DocumentFields,
  protection: RowProtection | undefined,
  now: () => number,
): Promise<OpenedUpload> {
  const documentType = documentTypeForMediaType(body.contentType)
  if (documentType !== undefined) {
    assertDocumentAllowed(protection)
    const rows = parseDocument(documentType, body.chunks, {
      toRow: createDocumentMapper(mapping, documentFields),
      isMarkdown: body.contentType === 'text/markdown',
      charset: body.charset,
    })
    return { rows, format: undefined, isTable: false, warnings: [] }
  }
  const known = knownFormatOf(mapping)
  const table = await openTable({
    chunks: body.chunks,
    contentType: body.contentType,
    charset: body.charset,
    format: known,
    declarations: mapping,
    keyField: mapping.key,
    protection,
    now,
  })
  const { type } = table.format
  return {
    rows: table.rows(),
    // One source takes CSV and NDJSON of the same records, so the type is not pinned.
    format: { known, detected: storableFormat({ known, detected: table.format }, false) },
    isTable: type === 'csv' || type === 'xlsx' || type === 'parquet',
    warnings: table.warnings,
  }
}
