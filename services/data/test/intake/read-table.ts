import { openTable, type TableInput } from '../../src/intake/open-table.ts'
import type { InvalidRow, Row, ValidRow } from '../../src/parsers/row.ts'

export interface ReadTable {
  rows: Row[]
  values: ValidRow['value'][]
  refused: InvalidRow[]
  format: Awaited<ReturnType<typeof openTable>>['format']
  warnings: Awaited<ReturnType<typeof openTable>>['warnings']
}

/** Reads a whole file as an upload of CSV. */
export async function readTable(
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  input: Partial<Omit<TableInput, 'chunks'>> = {},
): Promise<ReadTable> {
  const table = await openTable({
    chunks: typeof content === 'string' || content instanceof Uint8Array ? once(content) : content,
    contentType: 'text/csv',
    now: () => Date.UTC(2026, 0, 5),
    format: {},
    declarations: {},
    ...input,
  })
  const rows: Row[] = []
  for await (const batch of table.rows()) rows.push(...batch)
  return {
    rows,
    values: rows.flatMap((row) => ('value' in row ? [row.value] : [])),
    refused: rows.flatMap((row) => ('reason' in row ? [row] : [])),
    format: table.format,
    warnings: table.warnings,
  }
}

async function* once(content: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield typeof content === 'string' ? Buffer.from(content) : content
}
