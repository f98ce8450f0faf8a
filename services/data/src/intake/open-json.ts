import type { Row, RowParser } from '../parsers/row.ts'
import type { JsonTable } from './raw-table.ts'
import type { TextSource } from './text/open-text.ts'

/** Opens JSON or NDJSON, whose rows name their own columns. */
export function openJson(text: TextSource, type: 'json' | 'ndjson', createParser: () => RowParser): JsonTable {
  return {
    format: { type, encoding: text.encoding.name },
    warnings: [],
    async *rows() {
      const parser = createParser()
      for await (const chunk of text.chunks) yield* nonEmpty(parser.write(chunk))
      yield* nonEmpty(parser.end())
    },
  }
}

function* nonEmpty(rows: Row[]): Generator<Row[]> {
  if (rows.length > 0) yield rows
}
