import { Query, type QueryArrayConfig } from 'pg'
import { asText } from './client.ts'
import type { Cells, Session } from './session.ts'
import { cursorName } from './statement.ts'

/** Rows that came together. */
export interface Fetched {
  rows: Cells[]
  /** How many characters they have. */
  length: number
}

/** A stretch is handed on when it has so many characters, however many rows were asked for. */
const maxLength = 4 * 1024 * 1024
/** What a row counts for, however little it says: a server may send more of them than it was asked for. */
const rowLength = 64

/**
 * Fetches so many rows of the cursor and hands them on, in one stretch or, where they are long, in several; while it is
 * waited for its reader it takes no more from the server.
 */
export async function* fetchRows({ client, begin }: Session, count: number): AsyncGenerator<Fetched> {
  const { stream } = client.connection
  const { heard, paused, ended } = begin()
  let waiting: Fetched = { rows: [], length: 0 }
  let isOver = false
  let failure: unknown
  let wake = () => {}
  const end = (error?: unknown) => {
    isOver = true
    failure = error
    wake()
  }
  const config: QueryArrayConfig = { text: `FETCH ${count} FROM ${cursorName}`, rowMode: 'array', types: asText }
  const query = new Query<Cells>(config)
  query.on('row', (row) => {
    waiting.rows.push(row)
    waiting.length += rowLength
    for (const cell of row) waiting.length += cell === null ? 1 : cell.length
    heard()
    if (waiting.length < maxLength) return
    stream.pause()
    paused()
    wake()
  })
  query.on('error', end)
  query.on('end', () => end())
  try {
    client.query(query)
    for (;;) {
      if (!isOver && waiting.length < maxLength)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      if (failure !== undefined) throw failure
      const taken = waiting
      waiting = { rows: [], length: 0 }
      if (taken.rows.length > 0) yield taken
      if (isOver && waiting.rows.length === 0) return
      heard()
      stream.resume()
    }
  } finally {
    if (isOver) ended()
  }
}
