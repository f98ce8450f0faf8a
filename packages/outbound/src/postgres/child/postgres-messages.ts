import { errorCode, resetErrorCodes } from '@wp/runtime'
import { DatabaseError } from 'pg'
import { errorMessage, OutboundError } from '../../error.ts'
import type { ErrorMessage } from '../child-messages.ts'

/**
 * Creates a validator for the byte stream of a PostgreSQL server (PostgreSQL manual, section 54.7). It checks that the
 * strings in each message end within the message.
 *
 * @returns a function that takes the next chunk and returns false if a message is malformed; do not call it again then
 */
export function createMessageValidator(): (piece: Buffer) => boolean {
  const header = Buffer.alloc(headerLength)
  let headerBytes = 0
  /** Of the current message. */
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

/** Message types that consist of a fixed number of strings, and the offset of the first one. */
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

/** Length of a column description after its name. */
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

/** Checks a list of strings, each preceded by a number of bytes, that a zero byte terminates. */
function isStringList(body: Buffer, from: number, bytesBeforeEach: number): boolean {
  for (let at = from; at < body.length; ) {
    if (body[at] === 0) return true
    const end = body.indexOf(0, at + bytesBeforeEach)
    if (end < 0) return false
    at = end + 1
  }
  return false
}

/** Converts an error of the connection to the message for the parent process. */
export function toErrorMessage(error: unknown): ErrorMessage {
  const message = errorMessage(error)
  if (error instanceof DatabaseError) return { kind: 'server', message, code: error.code, position: error.position }
  if (error instanceof OutboundError && isSendable(error.kind)) return { kind: error.kind, message, code: error.code }
  // Thrown by `pg` without a code.
  if (/password/i.test(message)) return { kind: 'server', message: 'The server asks for a password', code: '28P01' }
  const code = errorCode(error)
  if (resetErrorCodes.has(code ?? '') || /connection terminated/i.test(message))
    return { kind: 'reset', message: `The connection to the server was lost: ${message}`, code }
  return { kind: 'protocol', message: `The server does not answer like PostgreSQL: ${message}`, code }
}

const kinds: readonly string[] = ['tls', 'protocol', 'reset', 'too_large'] satisfies ErrorMessage['kind'][]
const isSendable = (kind: string): kind is ErrorMessage['kind'] => kinds.includes(kind)
