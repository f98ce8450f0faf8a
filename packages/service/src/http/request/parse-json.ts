import { invalidField, problem } from '@wp/contracts'
import { locateJsonError } from './locate-json-error.ts'

/**
 * Parses JSON within the bounds of `checkJsonBounds` that PostgreSQL can store: text without NUL and without unpaired
 * surrogates.
 * @throws Problem 400, with a pointer to the text that cannot be stored
 */
export function parseJson(text: string): unknown {
  const value = parse(text)
  const fault = unstorableEscape.test(text) ? findUnstorable(value, '') : undefined
  if (fault !== undefined) throw invalidField(fault.pointer, fault.detail)
  return value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw problem('malformed_body', { detail: `The body is not valid JSON${describePosition(text)}`, cause })
  }
}

function describePosition(text: string): string {
  const error = locateJsonError(text)
  return error === undefined ? '' : `: line ${error.line}, column ${error.column}: ${error.reason}`
}

/** UTF-8 cannot encode an unpaired surrogate, so both need an escape; text without one needs no further check. */
const unstorableEscape = /\\u(?:0000|d[89a-f])/i

function findUnstorable(value: unknown, pointer: string): { pointer: string; detail: string } | undefined {
  if (typeof value === 'string') return faultOf(value, pointer)
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, member] of Object.entries(value)) {
    const memberPointer = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    const fault = faultOf(name, memberPointer) ?? findUnstorable(member, memberPointer)
    if (fault !== undefined) return fault
  }
  return undefined
}

function faultOf(text: string, pointer: string): { pointer: string; detail: string } | undefined {
  if (text.includes('\0')) return { pointer, detail: 'must not contain NUL' }
  return text.isWellFormed() ? undefined : { pointer, detail: 'must not contain an unpaired surrogate' }
}
