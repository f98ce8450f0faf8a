import { hash } from 'node:crypto'

/** Tells rows that a crawl reads again because it goes on at a place it had come to, itself included. */
export interface ResumeDedup {
  /** Takes note of the next row. @returns whether it was read before */
  isRepeated(identity: string): boolean
  /** The last rows, eight bytes each, to be kept with the place after them. */
  recentRowHashes(): Uint8Array
}

const maxHashes = 1_000
const hashHexLength = 16

/** @param before of the rows before the place the crawl goes on at; null: it begins */
export function createResumeDedup(before: Uint8Array | null): ResumeDedup {
  const again = new Map<string, number>()
  let last = before === null ? [] : decodeHashes(before)
  for (const mark of last) again.set(mark, (again.get(mark) ?? 0) + 1)
  return {
    isRepeated(identity) {
      const mark = hash('sha256', identity, 'hex').slice(0, hashHexLength)
      const left = again.get(mark) ?? 0
      if (left > 0) {
        again.set(mark, left - 1)
        return true
      }
      last.push(mark)
      if (last.length >= 2 * maxHashes) last = last.slice(-maxHashes)
      return false
    },
    recentRowHashes: () => Buffer.from(last.slice(-maxHashes).join(''), 'hex'),
  }
}

function decodeHashes(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes).toString('hex')
  return Array.from({ length: text.length / hashHexLength }, (_, at) =>
    text.slice(at * hashHexLength, (at + 1) * hashHexLength),
  )
}
