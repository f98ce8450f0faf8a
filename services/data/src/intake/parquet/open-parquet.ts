import { type FileMetaData, parquetMetadataAsync, parquetRead, parquetSchema, type SchemaElement } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import type { SpooledFile } from '../container/spool.ts'
import { nameColumns } from '../name-columns.ts'
import { malformed, reportFaults } from '../problems.ts'
import type { RawRow, RawTable } from '../raw-table.ts'
import { createValueReader, parquetParsers } from './parquet-values.ts'

/** Limits of a row group, which is decoded in memory as a whole. */
const maxGroupBytes = 536_870_912
const maxGroupCells = 50_000_000
const maxPageBytes = 268_435_456
const batchRows = 1_000
const damaged = 'The Parquet file is damaged or not supported'

/** Opens a Parquet file. @throws Problem `malformed_body` */
export async function openParquet(file: SpooledFile): Promise<RawTable> {
  const source = {
    byteLength: file.size,
    slice: async (start: number, end = file.size) => (await file.read(start, end)).buffer,
  }
  const metadata = await reportFaults(damaged, () => parquetMetadataAsync(source, { geoparquet: false }))
  for (const element of metadata.schema) addConvertedType(element)
  const schema = parquetSchema(metadata).children
  const { columns, warnings } = nameColumns(
    schema.map(({ element }) => element.name),
    () => true,
  )
  checkGroups(metadata, schema.length)
  return {
    format: { type: 'parquet' },
    columns,
    warnings,
    async *rows() {
      let rowStart = 0
      for (const { num_rows: groupRows } of metadata.row_groups) {
        const rowEnd = rowStart + Number(groupRows)
        yield* readGroup(
          { file: source, metadata, rowStart, rowEnd },
          schema.map(({ element }) => element),
        )
        rowStart = rowEnd
      }
    },
  }
}

/** The reader of values looks at the older one of the two type annotations, which a writer may leave out. */
function addConvertedType(element: SchemaElement): void {
  const { logical_type: logical } = element
  if (logical === undefined || element.converted_type !== undefined) return
  const { type } = logical
  if (type === 'DATE' || type === 'DECIMAL' || type === 'JSON' || type === 'LIST' || type === 'MAP')
    element.converted_type = type
  if (type === 'DECIMAL') element.scale = logical.scale
}

function checkGroups({ row_groups: groups }: FileMetaData, columns: number): void {
  for (const { num_rows: rows, columns: chunks } of groups) {
    const bytes = chunks.reduce((sum, { meta_data: data }) => sum + Number(data?.total_uncompressed_size ?? 0), 0)
    if (bytes > maxGroupBytes || Number(rows) * columns > maxGroupCells)
      throw malformed('A row group of the Parquet file is too large; write smaller row groups')
  }
}

type GroupOptions = Pick<Parameters<typeof parquetRead>[0], 'file'> & {
  metadata: FileMetaData
  rowStart: number
  rowEnd: number
}

async function* readGroup(group: GroupOptions, elements: readonly SchemaElement[]): AsyncGenerator<RawRow[]> {
  const values = new Map<string, unknown[]>()
  await reportFaults(damaged, () =>
    parquetRead({
      ...group,
      compressors: boundedCompressors,
      parsers: parquetParsers,
      geoparquet: false,
      onChunk({ columnName, columnData, rowStart }) {
        const column = values.get(columnName) ?? []
        values.set(columnName, column)
        for (let at = 0; at < columnData.length; at++) column[rowStart - group.rowStart + at] = columnData[at]
      },
    }),
  )
  const columns = elements.map((element) => ({
    data: values.get(element.name),
    read: createValueReader(element, group.metadata.created_by),
  }))
  const count = group.rowEnd - group.rowStart
  for (let at = 0; at < count; at += batchRows) {
    const rows: RawRow[] = []
    for (let row = at; row < Math.min(count, at + batchRows); row++)
      rows.push({ line: group.rowStart + row + 1, cells: columns.map(({ data, read }) => read(data?.[row])) })
    yield rows
  }
}

/** The size of a page comes from the file: it is checked before memory is taken for it. */
const boundedCompressors = Object.fromEntries(
  Object.entries(compressors).map(([codec, decompress]) => [
    codec,
    (input: Uint8Array, outputLength: number) => {
      if (outputLength > maxPageBytes) throw malformed('A page of the Parquet file is too large')
      return decompress(input, outputLength)
    },
  ]),
)
