import { scimError } from './scim-error.ts'

const comparisons = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
type Comparison = (typeof comparisons)[number]

/** A value of a filter (RFC 7644 section 3.4.2.2). */
export type FilterValue = string | number | boolean | null

/** A parsed filter. Attribute paths are in lower case and without the URN of a core schema. */
export type Filter =
  | { type: 'and' | 'or'; parts: Filter[] }
  | { type: 'not'; part: Filter }
  | { type: 'present'; path: string }
  | { type: 'compare'; path: string; operator: Comparison; value: FilterValue }
  | { type: 'element'; path: string; filter: Filter }

/** Bounds of a filter, which outside systems choose. */
const [maxLength, maxDepth, maxTerms] = [1_000, 5, 20]

const coreSchema = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i

/** Returns an attribute path in lower case, without the URN of a core schema. */
export const normalizePath = (path: string): string => path.replace(coreSchema, '').toLowerCase()

const token =
  /\s*(?:(?<text>"(?:[^"\\]|\\.)*")|(?<mark>[()[\]])|(?<word>[A-Za-z$](?:[\w$:-]|\.(?=[\w$]))*)|(?<number>-?\d+(?:\.\d+)?))/y

/**
 * Parses a filter of RFC 7644 section 3.4.2.2.
 * @throws Problem with scimType `invalidFilter` if it is malformed, too long, too deep or has too many terms
 */
export function parseFilter(text: string): Filter {
  if (text.length > maxLength) throw invalid(`The filter must have at most ${maxLength} characters`)
  const tokens = tokenize(text)
  let position = 0
  let terms = 0
  const peek = () => tokens[position]
  const isNext = (word: string) => peek()?.toLowerCase() === word
  function next(): string {
    const found = tokens[position++]
    if (found === undefined) throw invalid('The filter ends too early')
    return found
  }
  function expect(mark: string): void {
    if (next() !== mark) throw invalid(`The filter lacks ${mark}`)
  }

  function chain(type: 'and' | 'or', depth: number, parsePart: (depth: number) => Filter): Filter {
    const parts = [parsePart(depth)]
    while (isNext(type)) {
      position++
      parts.push(parsePart(depth))
    }
    const [only] = parts
    return parts.length === 1 && only !== undefined ? only : { type, parts }
  }
  const parseOr = (depth: number): Filter => chain('or', depth, (inner) => chain('and', inner, parseTerm))

  function parseGroup(depth: number, end: string): Filter {
    if (depth >= maxDepth) throw invalid(`The filter must be at most ${maxDepth} levels deep`)
    const filter = parseOr(depth + 1)
    expect(end)
    return filter
  }

  function parseTerm(depth: number): Filter {
    if (++terms > maxTerms) throw invalid(`The filter must have at most ${maxTerms} terms`)
    const word = next()
    if (word === '(') return parseGroup(depth, ')')
    if (word.toLowerCase() === 'not' && peek() === '(') {
      position++
      return { type: 'not', part: parseGroup(depth, ')') }
    }
    if (!/^[A-Za-z$]/.test(word)) throw invalid(`${word} is not an attribute`)
    const path = normalizePath(word)
    if (peek() === '[') {
      position++
      return { type: 'element', path, filter: parseGroup(depth, ']') }
    }
    const operator = next().toLowerCase()
    if (operator === 'pr') return { type: 'present', path }
    if (!isComparison(operator)) throw invalid(`${operator} is not an operator`)
    return { type: 'compare', path, operator, value: parseValue(next()) }
  }

  const filter = parseOr(0)
  if (position < tokens.length) throw invalid(`${peek()} is not expected`)
  return filter
}

const isComparison = (word: string): word is Comparison => comparisons.some((one) => one === word)

function tokenize(text: string): string[] {
  const tokens: string[] = []
  const pattern = new RegExp(token)
  while (pattern.lastIndex < text.length) {
    if (/^\s*$/.test(text.slice(pattern.lastIndex))) break
    const match = pattern.exec(text)
    if (match === null) throw invalid('The filter has characters that are not expected')
    tokens.push(match[0].trim())
  }
  return tokens
}

function parseValue(word: string): FilterValue {
  const lower = word.toLowerCase()
  if (lower === 'true' || lower === 'false') return lower === 'true'
  if (lower === 'null') return null
  try {
    const value: unknown = JSON.parse(word)
    if (typeof value === 'number') return value
    if (typeof value === 'string' && !value.includes('\0')) return value
  } catch {
    // refused below
  }
  throw invalid(`${word} is not a value`)
}

const invalid = (detail: string) => scimError('invalidFilter', detail)

/** An element of a multi-valued attribute, as `emails`. */
export type Element = Record<string, unknown>

/** Returns true if an element of a multi-valued attribute matches a filter, as in `emails[type eq "work"]`. */
export function matchesElement(filter: Filter, element: Element): boolean {
  switch (filter.type) {
    case 'and':
      return filter.parts.every((part) => matchesElement(part, element))
    case 'or':
      return filter.parts.some((part) => matchesElement(part, element))
    case 'not':
      return !matchesElement(filter.part, element)
    case 'present':
      return element[filter.path] !== undefined
    case 'compare':
      return compare(element[filter.path], filter.operator, filter.value)
    case 'element':
      throw scimError('invalidFilter', 'A filter in brackets cannot have brackets')
  }
}

/** Returns the pairs that a filter demands; undefined if it does more than compare for equality. */
export function equalPairs(filter: Filter): Element | undefined {
  if (filter.type === 'compare' && filter.operator === 'eq') return { [filter.path]: filter.value }
  if (filter.type !== 'and') return undefined
  const pairs = filter.parts.map(equalPairs)
  return pairs.includes(undefined) ? undefined : Object.assign({}, ...pairs)
}

function compare(actual: unknown, operator: string, expected: FilterValue): boolean {
  const [a, b] = [String(actual ?? '').toLowerCase(), String(expected ?? '').toLowerCase()]
  switch (operator) {
    case 'eq':
      return a === b
    case 'ne':
      return a !== b
    case 'co':
      return a.includes(b)
    case 'sw':
      return a.startsWith(b)
    case 'ew':
      return a.endsWith(b)
    default:
      throw scimError('invalidFilter', `${operator} is not supported in brackets`)
  }
}
