import { errorCode, resetErrorCodes } from '@wp/runtime'
import { DatabaseError } from 'pg'
import { errorMessage, OutboundError } from '../../error.ts'
import type { ErrorMessage } from '../child-messages.ts'

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
