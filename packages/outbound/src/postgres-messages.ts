/**
 * Follows what a PostgreSQL server sends, message by message (PostgreSQL, 54.7), as far as a parser may lose itself in
 * it: in texts that do not end within their message.
 *
 * @returns takes the next piece, and answers false when a message is none; then no more is to be read
 */
export function messageChecker(): (piece: Buffer) => boolean {
  const head = Buffer.alloc(headLength)
  let known = 0
  /** Of the message under way. */
  let left = 0
  let gathered: Buffer[] | undefined

  return (piece) => {
    for (let at = 0; at < piece.length; ) {
      if (known < headLength) {
        const copied = piece.copy(head, known, at, at + headLength - known)
        known += copied
        at += copied
        if (known < headLength) return true
        left = head.readUInt32BE(1) - 4
        if (left < 0) return false
        gathered = hasTexts(kindOf(head)) ? [] : undefined
      }
      const end = Math.min(piece.length, at + left)
      gathered?.push(piece.subarray(at, end))
      left -= end - at
      at = end
      if (left > 0) return true
      known = 0
      if (gathered !== undefined && !isWhole(kindOf(head), Buffer.concat(gathered))) return false
    }
    return true
  }
}

const headLength = 5
const kindOf = (head: Buffer) => String.fromCharCode(head[0] ?? 0)

/** Kinds that are a number of texts; and how many bytes stand before those. */
const texts: Readonly<Record<string, { from: number; count: number }>> = {
  C: { from: 0, count: 1 },
  S: { from: 0, count: 2 },
  A: { from: 4, count: 2 },
}

const hasTexts = (kind: string) => kind in texts || 'ENTR'.includes(kind)

function isWhole(kind: string, body: Buffer): boolean {
  const some = texts[kind]
  if (some !== undefined) return areTexts(body, some.from, some.count, 0)
  if (kind === 'T') return body.length >= 2 && areTexts(body, 2, body.readInt16BE(0), columnLength)
  if (kind === 'R') return body.length >= 4 && (body.readInt32BE(0) !== saslMechanisms || isList(body, 4, 0))
  return isList(body, 0, 1)
}

/** Of a column, beside its name. */
const columnLength = 18
const saslMechanisms = 10

function areTexts(body: Buffer, from: number, count: number, behindEach: number): boolean {
  let at = from
  for (let nth = 0; nth < count; nth++) {
    const end = body.indexOf(0, at)
    if (end < 0) return false
    at = end + 1 + behindEach
    if (at > body.length) return false
  }
  return true
}

/** Texts, each with so many bytes before it, until a zero stands where the next would begin. */
function isList(body: Buffer, from: number, beforeEach: number): boolean {
  for (let at = from; at < body.length; ) {
    if (body[at] === 0) return true
    const end = body.indexOf(0, at + beforeEach)
    if (end < 0) return false
    at = end + 1
  }
  return false
}
