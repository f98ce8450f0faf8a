import { Query, type QueryArrayConfig } from 'pg'
import { textTypes } from './client.ts'
import { cursorName } from './cursor-statement.ts'
import type { Session, TextRow } from './session.ts'

/** Rows that arrived together. */
export interface RowChunk {
  rows: TextRow[]
  /** Total length of their values. */
  characters: number
}

/** A chunk of this length is yielded, however few rows it has. */
const maxChunkCharacters = 4 * 1024 * 1024
/** Counted for every row, however short: a server may send more rows than requested. */
const minRowCharacters = 64

const emptyChunk = (): RowChunk => ({ rows: [], characters: 0 })

/**
 * Fetches `count` rows of the cursor and yields them in one chunk, or in several if they are long. Reads nothing more from
 * the server while the consumer is busy with a chunk.
 */
export async function* fetchRows({ client, startStatement }: Session, count: number): AsyncGenerator<RowChunk> {
  const { stream } = client.connection
  const timer = startStatement()
  let received = emptyChunk()
  let isComplete = false
  let failure: unknown
  let wake = () => {}
  const complete = (error?: unknown) => {
    isComplete = true
    failure = error
    wake()
  }
  const config: QueryArrayConfig = { text: `FETCH ${count} FROM ${cursorName}`, rowMode: 'array', types: textTypes }
  const query = new Query<TextRow>(config)
  query.on('row', (row) => {
    received.rows.push(row)
    received.characters += lengthOf(row)
    timer.activity()
    if (received.characters < maxChunkCharacters) return
    stream.pause()
    timer.pause()
    wake()
  })
  query.on('error', complete)
  query.on('end', () => complete())
  try {
    client.query(query)
    for (;;) {
      if (!isComplete && received.characters < maxChunkCharacters)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      if (failure !== undefined) throw failure
      const chunk = received
      received = emptyChunk()
      if (chunk.rows.length > 0) yield chunk
      if (isComplete && received.rows.length === 0) return
      timer.activity()
      stream.resume()
    }
  } finally {
    if (isComplete) timer.end()
  }
}

function lengthOf(row: TextRow): number {
  let characters = minRowCharacters
  for (const cell of row) characters += cell === null ? 1 : cell.length
  return characters
}
