/** A position in a text that is not JSON, and what is wrong there. */
export interface JsonError {
  /** Both from 1; the column counts UTF-16 code units. */
  line: number
  column: number
  reason: string
}

type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | 'colon' | 'comma or ]' | 'comma or }' | 'end'

const descriptions: Record<Expected, string> = {
  value: 'a value is expected',
  'value or ]': 'a value or ] is expected',
  name: 'a name in double quotes is expected',
  'name or }': 'a name in double quotes or } is expected',
  colon: 'a colon is expected',
  'comma or ]': 'a comma or ] is expected',
  'comma or }': 'a comma or } is expected',
  end: 'nothing more is expected after the value',
}

/** Thrown within this file. */
class Fault extends Error {
  readonly position: number

  constructor(position: number, reason: string) {
    super(reason)
    this.position = position
  }
}

const space = /[ \t\n\r]*/y
const scalar = /true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const word = /[\p{L}\p{N}_.+-]{1,40}/uy

/**
 * Finds the first error in a text that JSON.parse rejects (RFC 8259); undefined if there is none. Takes linear time.
 */
export function locateJsonError(text: string): JsonError | undefined {
  try {
    scan(text)
    return undefined
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const before = text.slice(0, error.position).split(/\r\n|\n|\r/)
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, reason: error.message }
  }
}

function scan(text: string): void {
  const open: ('{' | '[')[] = []
  let expected: Expected = 'value'
  let position = matchEnd(space, text, 0)
  const afterValue = (): Expected => {
    const container = open.at(-1)
    if (container === undefined) return 'end'
    return container === '{' ? 'comma or }' : 'comma or ]'
  }
  while (position < text.length) {
    const char = text.charAt(position)
    if (expected.startsWith('value') && (char === '{' || char === '[')) {
      open.push(char)
      expected = char === '{' ? 'name or }' : 'value or ]'
      position++
    } else if (expected.endsWith(char) && (char === '}' || char === ']')) {
      open.pop()
      expected = afterValue()
      position++
    } else if (expected.startsWith('comma') && char === ',') {
      expected = expected === 'comma or }' ? 'name' : 'value'
      position++
    } else if (expected === 'colon' && char === ':') {
      expected = 'value'
      position++
    } else if (char === '"' && (expected.startsWith('value') || expected.startsWith('name'))) {
      position = endOfString(text, position)
      expected = expected.startsWith('name') ? 'colon' : afterValue()
    } else {
      const end = expected.startsWith('value') ? matchEnd(scalar, text, position) : position
      if (end === position) throw new Fault(position, `${descriptions[expected]}${found(text, position, expected)}`)
      position = end
      expected = afterValue()
    }
    position = matchEnd(space, text, position)
  }
  if (expected !== 'end') throw new Fault(position, `the text ends here, but ${descriptions[expected]}`)
}

/** Returns what stands at the position of an error, with advice for common mistakes. */
function found(text: string, position: number, expected: Expected): string {
  const char = text.charAt(position)
  if (char === "'") return '; strings have double quotes, not single ones'
  if (char === '/') return '; JSON has no comments'
  if ((char === '}' && expected === 'name') || (char === ']' && expected === 'value'))
    return '; the last element has no comma after it'
  const end = matchEnd(word, text, position)
  const token = end > position ? text.slice(position, end) : char
  return `, not ${JSON.stringify(token)}${adviceOn(token, text.slice(Math.max(0, position - 2), position), expected)}`
}

/** Literals of other languages. */
const foreignLiteral = /^(?:true|false|null|none|nil|undefined|nan)$/i

/** @param before the two characters before the token */
function adviceOn(token: string, before: string, expected: Expected): string {
  if (expected.startsWith('value') && foreignLiteral.test(token))
    return '; JSON has true, false and null, in lower case'
  if (/^\d/.test(token) && /(?:^|[\s:,[-])0$/.test(before)) return '; a number has no leading zero'
  return ''
}

function endOfString(text: string, start: number): number {
  for (let position = start + 1; position < text.length; position++) {
    const char = text.charAt(position)
    if (char === '"') return position + 1
    if (char < ' ')
      throw new Fault(position, 'a string must not contain a line break or another control character; escape it')
    if (char !== '\\') continue
    if (!/^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.test(text.slice(position + 1, position + 6)))
      throw new Fault(
        position,
        'the backslash does not begin an escape such as \\n or \\u00e9; write \\\\ for a backslash',
      )
    position++
  }
  throw new Fault(start, 'the string that begins here is not closed')
}

/** Returns the end of a match of a sticky pattern at a position, or the position if there is none. */
function matchEnd(pattern: RegExp, text: string, position: number): number {
  pattern.lastIndex = position
  return pattern.test(text) ? pattern.lastIndex : position
}
