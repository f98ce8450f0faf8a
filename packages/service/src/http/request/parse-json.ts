import { invalidField, problem } from '@wp/contracts'
import { locateJsonError } from './locate-json-error.ts'

/** Deeper than any shape of the contracts, and shallow enough for recursive functions. */
const maxDepth = 100
/** More than the largest record of the contracts may have. */
const maxKeysPerObject = 1_000
/** A forecast fits up to 47,000 points into a body, each an object of two keys. */
const maxKeys = 100_000
const maxContainers = 50_000

const [quote, backslash, colon] = [0x22, 0x5c, 0x3a]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Parses JSON within the bounds of `checkJsonBounds` that PostgreSQL and JavaScript objects can hold: text without NUL
 * and without unpaired surrogates, no member named `__proto__`, and no name twice in one object: JSON.parse keeps the
 * last value, other parsers the first one (RFC 8259, section 4).
 * @param memberCount number of members in the text
 * @throws Problem 400, with a pointer to the text that cannot be stored
 */
export function parseJson(text: string, memberCount: number): unknown {
  const value = parse(text)
  if (countMembers(value) < memberCount)
    throw problem('malformed_body', {
      detail: `The body has ${JSON.stringify(findRepeatedName(text))} more than once in one object`,
    })
  const fault = suspectText.test(text) ? findUnstorable(value, '') : undefined
  if (fault !== undefined) throw invalidField(fault.pointer, fault.detail)
  return value
}

/** Characters of a name that a message quotes. */
const maxShownName = 100

function countMembers(value: unknown): number {
  let count = 0
  const open = [value]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue
    const values: unknown[] = Object.values(next)
    if (!Array.isArray(next)) count += values.length
    for (const member of values) if (typeof member === 'object' && member !== null) open.push(member)
  }
  return count
}

/** Returns the first name that an object of the JSON text has twice, shortened. @param value the parsed text */
export const repeatedName = (text: string, value: unknown): string | undefined =>
  countMembers(value) < (text.match(/"\s*:/g)?.length ?? 0) ? findRepeatedName(text) : undefined

function findRepeatedName(text: string): string | undefined {
  const namesOfOpen: Set<string>[] = []
  let lastText = '""'
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g)) {
    if (token === '{' || token === '[') namesOfOpen.push(new Set())
    else if (token === '}' || token === ']') namesOfOpen.pop()
    else if (token === ':') {
      const name: string = JSON.parse(lastText)
      const names = namesOfOpen.at(-1)
      if (names?.has(name)) return name.slice(0, maxShownName)
      names?.add(name)
    } else lastText = token
  }
  return undefined
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

/**
 * Matches every text that may have a fault; others need no further check. UTF-8 cannot encode an unpaired surrogate, so
 * NUL and surrogates need an escape; the name `__proto__` may have escapes of ASCII characters.
 */
const suspectText = /\\u(?:00|d[89a-f])|__proto__/i

function findUnstorable(value: unknown, pointer: string): { pointer: string; detail: string } | undefined {
  if (typeof value === 'string') return faultOf(value, pointer)
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, member] of Object.entries(value)) {
    const memberPointer = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    const fault =
      faultOfName(name, memberPointer) ?? faultOf(name, memberPointer) ?? findUnstorable(member, memberPointer)
    if (fault !== undefined) return fault
  }
  return undefined
}

/** An assignment to `__proto__` sets the prototype of an object, so such a member would be lost on the way. */
const faultOfName = (name: string, pointer: string) =>
  name === '__proto__' ? { pointer, detail: 'must not be named __proto__' } : undefined

function faultOf(text: string, pointer: string): { pointer: string; detail: string } | undefined {
  if (text.includes('\0')) return { pointer, detail: 'must not contain NUL' }
  return text.isWellFormed() ? undefined : { pointer, detail: 'must not contain an unpaired surrogate' }
}

/**
 * Checks depth, keys and number of arrays and objects of a JSON text before it is parsed: 1 MiB of `{}` takes
 * JSON.parse 110 ms, and 120,000 keys of one object make validation take another 300 ms. This takes 4 to 11 ms per MiB.
 * Does not check that the text is JSON.
 * @returns the number of members in all objects
 * @throws Problem `malformed_body`
 */
export function checkJsonBounds(bytes: Uint8Array): number {
  const keysAtDepth = new Uint32Array(maxDepth + 1)
  let isInString = false
  let [depth, keys, containers] = [0, 0, 0]
  for (let position = 0; position < bytes.length; position++) {
    const byte = bytes[position]
    if (isInString) {
      if (byte === backslash) position++
      else if (byte === quote) isInString = false
    } else if (byte === quote) isInString = true
    else if (byte === openBrace || byte === openBracket) {
      if (++depth > maxDepth) throw beyond(`must not nest deeper than ${maxDepth} levels`)
      if (++containers > maxContainers) throw beyond(`must have at most ${maxContainers} objects and arrays`)
      keysAtDepth[depth] = 0
    } else if (byte === closeBrace || byte === closeBracket) depth = Math.max(0, depth - 1)
    else if (byte === colon) {
      const keysOfObject = (keysAtDepth[depth] ?? 0) + 1
      keysAtDepth[depth] = keysOfObject
      if (keysOfObject > maxKeysPerObject) throw beyond(`must have at most ${maxKeysPerObject} members in one object`)
      if (++keys > maxKeys) throw beyond(`must have at most ${maxKeys} members in all objects`)
    }
  }
  return keys
}

const beyond = (rule: string) => problem('malformed_body', { detail: `The body ${rule}` })
