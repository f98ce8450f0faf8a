import { invalidField, problem } from '@wp/contracts'

/** Deeper than any of our shapes, and shallow enough for every function that walks a value by calling itself. */
const maxDepth = 100

/**
 * Parses JSON to what can be stored: PostgreSQL keeps neither NUL nor half of a surrogate pair.
 * @throws Problem 400, pointing at what cannot be kept
 */
export function parseJson(text: string): unknown {
  const value = parse(text)
  if (nestsDeeper(value, maxDepth))
    throw problem('malformed_body', { detail: `The body nests deeper than ${maxDepth} levels` })
  const fault = unstorable.test(text) ? findUnstorable(value, '') : undefined
  if (fault !== undefined) throw invalidField(fault.pointer, fault.detail)
  return value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw problem('malformed_body', { detail: 'The body is not valid JSON', cause })
  }
}

function nestsDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  return Object.values(value).some((member) => nestsDeeper(member, levels - 1))
}

/** UTF-8 cannot carry half a pair, so both faults need an escape; without one nobody has to look. */
const unstorable = /\\u(?:0000|d[89a-f])/i

function findUnstorable(value: unknown, pointer: string): { pointer: string; detail: string } | undefined {
  if (typeof value === 'string') return faultOf(value, pointer)
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, member] of Object.entries(value)) {
    const here = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    const fault = faultOf(name, here) ?? findUnstorable(member, here)
    if (fault !== undefined) return fault
  }
  return undefined
}

function faultOf(text: string, pointer: string): { pointer: string; detail: string } | undefined {
  if (text.includes('\0')) return { pointer, detail: 'must not contain NUL' }
  return text.isWellFormed() ? undefined : { pointer, detail: 'must not contain half of a surrogate pair' }
}
