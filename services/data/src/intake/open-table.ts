import type { SourceFormat } from '@wp/contracts'
import type { Row, RowParser } from '../parsers/row.ts'
import type { FieldDeclarations } from '../schema/declared-fields.ts'
import type { ColumnPlan } from './columns/column-plan.ts'
import { typeTable } from './columns/type-table.ts'
import { openFile } from './open-file.ts'
import type { IntakeWarning } from './raw-table.ts'
import type { Encoding } from './text/detect-encoding.ts'

/** A file, or the answer of a feed, that rows are read from. */
export interface TableInput {
  chunks: AsyncIterable<Uint8Array>
  /** Media type without parameters, in lower case; empty if unknown. The bytes win over it. */
  contentType: string
  /** Charset of the content type. */
  charset?: string | undefined
  /** Name or path; its extension decides between formats whose bytes are alike. */
  fileName?: string | undefined
  /** The known part of the format; what it does not pin is detected. */
  format: SourceFormat
  /** Declared types of fields: a column declared `string` is not converted. */
  declarations: FieldDeclarations
  /** The field with the key of a row, which a refused row keeps. */
  keyField?: string | undefined
  /** The parser for a JSON document, in place of that for an array of objects. */
  createJsonParser?: (() => RowParser) | undefined
  /** Limit of the size of the file, also when it is unfolded; default 5 GiB. */
  maxBytes?: number | undefined
  /** True if the bytes are the beginning of the file only. */
  isTruncated?: boolean | undefined
  /** Aborts the reading. */
  signal?: AbortSignal | undefined
}

/** A table whose format is decided. */
export interface OpenedTable {
  /** The whole format, to be pinned. */
  format: SourceFormat
  warnings: IntakeWarning[]
  /** How the format was found, for a preview. */
  details: TableDetails
  /** Yields the rows with typed values, in batches. Call it once. */
  rows(): AsyncGenerator<Row[]>
  /** Frees what the table holds, if its rows are not read. It may be called more than once. */
  close(): Promise<void>
}

export interface TableDetails {
  plans: readonly ColumnPlan[]
  /** Texts that were read as no value so far, by column. */
  nulls: ReadonlyMap<string, ReadonlySet<string>>
  compression: 'gzip' | 'zip' | null
  /** Undefined for a file that is not text. */
  encoding: Encoding | undefined
  sheets: readonly string[]
}

/**
 * Detects the format of a file from its bytes and columns, as far as it is not pinned, and reads its rows.
 * @throws Problem `ambiguous_format`, `unexpected_format`, `malformed_body`, `payload_too_large`
 */
export async function openTable(input: TableInput): Promise<OpenedTable> {
  const opened = await openFile(input)
  try {
    const { format, warnings, plans, nulls, rows } = await typeTable(opened.table, { ...input, format: opened.known })
    return {
      ...{ format, warnings },
      details: { plans, nulls, compression: opened.compression, encoding: opened.encoding, sheets: opened.sheets },
      async *rows() {
        try {
          yield* rows()
        } finally {
          await opened.close()
        }
      },
      close: opened.close,
    }
  } catch (error) {
    await opened.close()
    throw error
  }
}
