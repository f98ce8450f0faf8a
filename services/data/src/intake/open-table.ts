import type { SourceFormat } from '@wp/contracts'
import type { Row } from '../parsers/row.ts'
import { withoutQuotes } from '../privacy/hidden-values.ts'
import type { ColumnPlan } from './columns/column-plan.ts'
import { typeTable } from './columns/type-table.ts'
import { openFile } from './open-file.ts'
import type { IntakeWarning } from './raw-table.ts'
import type { TableInput } from './table-input.ts'
import type { Encoding } from './text/detect-encoding.ts'

export type { TableInput } from './table-input.ts'

/** A table whose format is decided. */
export interface OpenedTable {
  /** The whole format, to be pinned. */
  format: SourceFormat
  /** Those of later rows are added when all rows are read. */
  warnings: IntakeWarning[]
  /** Details of the detected format, for a preview. */
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
  const { protection } = input
  const opened = await openFile(input).catch((error: unknown) => {
    throw protection === undefined ? error : withoutQuotes(error)
  })
  try {
    const { format, warnings, plans, nulls, rows } = await typeTable(opened.table, { ...input, format: opened.known })
    warnings.unshift(...assumedEncoding(opened.encoding))
    return {
      format,
      warnings,
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
    // Protected columns are replaced by now; of restricted records no value may be quoted.
    throw protection?.isRestricted === true ? withoutQuotes(error) : error
  }
}

const sureConfidence = 0.9

const assumedEncoding = (encoding: Encoding | undefined): IntakeWarning[] =>
  encoding === undefined || encoding.confidence >= sureConfidence
    ? []
    : [
        {
          code: 'assumed_encoding',
          message: `The text is read as ${encoding.name}, of which its bytes are no proof: check its letters beyond a to z. If they are wrong, set \`format.encoding\`, or save the file as UTF-8`,
        },
      ]
