import { hash } from 'node:crypto'

/** Tells rows that a crawl reads again because it goes on at a place it had come to, itself included. */
export interface RowMarks {
  /** Takes note of the next row. @returns whether it was read before */
  note(identity: string): boolean
  /** The last rows, eight bytes each, to be kept with the place after them. */
  bytes(): Uint8Array
}

const most = 1_000
const markLength = 16

/** @param before of the rows before the place the crawl goes on at; null: it begins */
export function rowMarks(before: Uint8Array | null): RowMarks {
  const again = new Map<string, number>()
  let last = before === null ? [] : marksIn(before)
  for (const mark of last) again.set(mark, (again.get(mark) ?? 0) + 1)
  return {
    note(identity) {
      const mark = hash('sha256', identity, 'hex').slice(0, markLength)
      const left = again.get(mark) ?? 0
      if (left > 0) {
        again.set(mark, left - 1)
        return true
      }
      last.push(mark)
      if (last.length >= 2 * most) last = last.slice(-most)
      return false
    },
    bytes: () => Buffer.from(last.slice(-most).join(''), 'hex'),
  }
}

function marksIn(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes).toString('hex')
  return Array.from({ length: text.length / markLength }, (_, at) => text.slice(at * markLength, (at + 1) * markLength))
}
