import { Query, type QueryArrayConfig } from 'pg'
import { textTypes } from './client.ts'
import { cursorName } from './cursor-statement.ts'
import type { Session, TextRow } from './session.ts'

/** Rows that came together. */
export interface RowChunk {
  rows: TextRow[]
  /** How many characters they have. */
  characters: number
}

/** A stretch is handed on when it has so many characters, however many rows were asked for. */
const maxChunkCharacters = 4 * 1024 * 1024
/** What a row counts for, however little it says: a server may send more of them than it was asked for. */
const minRowCharacters = 64

/**
 * Fetches so many rows of the cursor and hands them on, in one stretch or, where they are long, in several; while it is
 * waited for its reader it takes no more from the server.
 */
export async function* fetchRows({ client, startStatement }: Session, count: number): AsyncGenerator<RowChunk> {
  const { stream } = client.connection
  const { activity, pause, end: ended } = startStatement()
  let waiting: RowChunk = { rows: [], characters: 0 }
  let isOver = false
  let failure: unknown
  let wake = () => {}
  const end = (error?: unknown) => {
    isOver = true
    failure = error
    wake()
  }
  const config: QueryArrayConfig = { text: `FETCH ${count} FROM ${cursorName}`, rowMode: 'array', types: textTypes }
  const query = new Query<TextRow>(config)
  query.on('row', (row) => {
    waiting.rows.push(row)
    waiting.characters += minRowCharacters
    for (const cell of row) waiting.characters += cell === null ? 1 : cell.length
    activity()
    if (waiting.characters < maxChunkCharacters) return
    stream.pause()
    pause()
    wake()
  })
  query.on('error', end)
  query.on('end', () => end())
  try {
    client.query(query)
    for (;;) {
      if (!isOver && waiting.characters < maxChunkCharacters)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      if (failure !== undefined) throw failure
      const taken = waiting
      waiting = { rows: [], characters: 0 }
      if (taken.rows.length > 0) yield taken
      if (isOver && waiting.rows.length === 0) return
      activity()
      stream.resume()
    }
  } finally {
    if (isOver) ended()
  }
}
