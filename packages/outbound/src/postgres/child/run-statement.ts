import { type Client, Query, type QueryArrayConfig, type QueryArrayResult } from 'pg'
import { OutboundError } from '../../error.ts'
import type { PostgresColumn, PostgresStatement, RowChunk, TextRow } from '../child-messages.ts'
import type { GuardedStream } from './guarded-stream.ts'

/** Counted for every row and every value, however short, for the memory they need. */
const minRowCharacters = 64
const minValueCharacters = 16
/** Values up to this length are kept in rows that are too long, so that a key can be read. */
const maxKeptCharacters = 1_000

const emptyChunk = (): RowChunk => ({ rows: [], tooLong: [], characters: 0 })

/** Keeps every value as text. */
const textTypes = { getTypeParser: () => (text: string | Buffer) => String(text) }

/**
 * Runs a statement and passes its rows on in chunks. After each chunk but the last it reads nothing more from the
 * server until the stream is resumed.
 * @returns the columns of the last result
 */
export async function runStatement(
  client: Client,
  stream: GuardedStream,
  { text, values, maxRows, maxRowCharacters, maxChunkCharacters, maxBytes }: PostgresStatement,
  passOn: (chunk: RowChunk) => void,
): Promise<PostgresColumn[]> {
  const { promise, resolve, reject } = Promise.withResolvers<QueryArrayResult | QueryArrayResult[]>()
  let chunk = emptyChunk()
  let chunkSize = 0
  let rowCount = 0
  const flush = () => {
    if (chunk.rows.length > 0) passOn(chunk)
    chunk = emptyChunk()
    chunkSize = 0
  }
  const addRow = (row: TextRow) => {
    const characters = lengthOf(row)
    const isTooLong = characters > maxRowCharacters
    if (isTooLong) chunk.tooLong.push(chunk.rows.length)
    chunk.rows.push(isTooLong ? row.map(dropLong) : row)
    chunk.characters += characters
    chunkSize += minRowCharacters + row.length * minValueCharacters + Math.min(characters, maxRowCharacters)
  }

  // `extended` is needed even without values: the simple protocol accepts several statements.
  const mode = values === undefined ? {} : { values: [...values], queryMode: 'extended' as const }
  const config: QueryArrayConfig = { text, ...mode, rowMode: 'array', types: textTypes }
  const query = new Query<TextRow>(config)
  query.on('row', (row) => {
    if (++rowCount > maxRows)
      return void stream.destroy(
        new OutboundError('protocol', `The server sent more than the ${maxRows} requested rows`),
      )
    addRow(row)
    if (chunkSize < maxChunkCharacters) return
    flush()
    stream.pause()
  })
  query.on('error', reject)
  query.on('end', resolve)
  stream.allowBytes(maxBytes)
  client.query(query)
  const result = [await promise].flat().at(-1)
  flush()
  return (result?.fields ?? []).map(({ name, dataTypeID: type }) => ({ name, type }))
}

function lengthOf(row: TextRow): number {
  let characters = 0
  for (const value of row) characters += value?.length ?? 0
  return characters
}

const dropLong = (value: string | null) => (value !== null && value.length > maxKeptCharacters ? null : value)
