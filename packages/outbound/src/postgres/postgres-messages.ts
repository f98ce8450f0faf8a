/**
 * Follows what a PostgreSQL server sends, message by message (PostgreSQL, 54.7), as far as a parser may lose itself in
 * it: in texts that do not end within their message.
 *
 * @returns takes the next piece, and answers false when a message is none; then no more is to be read
 */
export function createMessageValidator(): (piece: Buffer) => boolean {
  const header = Buffer.alloc(headerLength)
  let headerBytes = 0
  /** Of the message under way. */
  let bodyBytesLeft = 0
  let bodyParts: Buffer[] | undefined

  return (piece) => {
    for (let at = 0; at < piece.length; ) {
      if (headerBytes < headerLength) {
        const copied = piece.copy(header, headerBytes, at, at + headerLength - headerBytes)
        headerBytes += copied
        at += copied
        if (headerBytes < headerLength) return true
        bodyBytesLeft = header.readUInt32BE(1) - 4
        if (bodyBytesLeft < 0) return false
        bodyParts = hasStrings(messageType(header)) ? [] : undefined
      }
      const end = Math.min(piece.length, at + bodyBytesLeft)
      bodyParts?.push(piece.subarray(at, end))
      bodyBytesLeft -= end - at
      at = end
      if (bodyBytesLeft > 0) return true
      headerBytes = 0
      if (bodyParts !== undefined && !isWellFormed(messageType(header), Buffer.concat(bodyParts))) return false
    }
    return true
  }
}

const headerLength = 5
const messageType = (head: Buffer) => String.fromCharCode(head[0] ?? 0)

/** Kinds that are a number of texts; and how many bytes stand before those. */
const stringFields: Readonly<Record<string, { from: number; count: number }>> = {
  C: { from: 0, count: 1 },
  S: { from: 0, count: 2 },
  A: { from: 4, count: 2 },
}

const hasStrings = (kind: string) => kind in stringFields || 'ENTR'.includes(kind)

function isWellFormed(kind: string, body: Buffer): boolean {
  const fields = stringFields[kind]
  if (fields !== undefined) return areStrings(body, fields.from, fields.count, 0)
  if (kind === 'T') return body.length >= 2 && areStrings(body, 2, body.readInt16BE(0), columnSuffixLength)
  if (kind === 'R') return body.length >= 4 && (body.readInt32BE(0) !== saslMechanisms || isStringList(body, 4, 0))
  return isStringList(body, 0, 1)
}

/** Of a column, beside its name. */
const columnSuffixLength = 18
const saslMechanisms = 10

function areStrings(body: Buffer, from: number, count: number, bytesAfterEach: number): boolean {
  let at = from
  for (let nth = 0; nth < count; nth++) {
    const end = body.indexOf(0, at)
    if (end < 0) return false
    at = end + 1 + bytesAfterEach
    if (at > body.length) return false
  }
  return true
}

/** Texts, each with so many bytes before it, until a zero stands where the next would begin. */
function isStringList(body: Buffer, from: number, bytesBeforeEach: number): boolean {
  for (let at = from; at < body.length; ) {
    if (body[at] === 0) return true
    const end = body.indexOf(0, at + bytesBeforeEach)
    if (end < 0) return false
    at = end + 1
  }
  return false
}
