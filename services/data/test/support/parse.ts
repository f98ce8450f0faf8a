import type { InvalidRow, Row } from '../../src/parsers/row.ts'

/** Parses a text in chunks of the given lengths; the last length is repeated. */
export function parseInPieces<R>(
  reader: { write(text: string): R[]; end(): R[] },
  text: string,
  lengths: readonly number[] = [text.length],
): R[] {
  const rows: R[] = []
  for (let at = 0, piece = 0; at < text.length; piece++) {
    const length = Math.max(1, lengths[Math.min(piece, lengths.length - 1)] ?? 1)
    rows.push(...reader.write(text.slice(at, at + length)))
    at += length
  }
  return [...rows, ...reader.end()]
}

/** Returns the values of rows, or the reasons of invalid ones. */
export const valuesOf = (rows: readonly Row[]) => rows.map((row) => ('reason' in row ? row.reason : row.value))

/** Returns line and reason of invalid rows. */
export const invalidRowsOf = (rows: readonly (InvalidRow | object)[]) =>
  rows.flatMap((row) => ('reason' in row ? [{ line: row.line, reason: row.reason }] : []))
