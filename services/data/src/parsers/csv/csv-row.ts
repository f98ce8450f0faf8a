/** A complete row, and the offset of the next one. */
export interface CsvRow {
  fields: string[]
  nextOffset: number
}

/**
 * Parses the row that begins at offset `start` (RFC 4180, section 2).
 *
 * @param isEnd true if no more text follows
 * @returns the row; the reason why it is malformed; `incomplete` if its end is not in the text yet
 */
export function parseCsvRow(
  text: string,
  start: number,
  delimiter: string,
  isEnd: boolean,
): CsvRow | { reason: string } | 'incomplete' {
  const stop = text.indexOf('\n', start)
  if (stop === -1 && !isEnd)
    return hasQuote(text, start, text.length) ? parseQuotedRow(text, start, delimiter, isEnd) : 'incomplete'
  const end = stop === -1 ? text.length : stop
  if (hasQuote(text, start, end)) return parseQuotedRow(text, start, delimiter, isEnd)
  const line = text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end)
  return { fields: line.split(delimiter), nextOffset: end === text.length ? end : end + 1 }
}

/** Looks no further than `to`, unlike indexOf, which would make a text with one quote at its end quadratic. */
function hasQuote(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (text.charCodeAt(at) === quote) return true
  return false
}

export const unclosedQuote = 'opens a quote that is not closed'
const quote = 34
const equalsSign = 61
const lineFeed = 10
const carriageReturn = 13

function parseQuotedRow(
  text: string,
  start: number,
  delimiter: string,
  isEnd: boolean,
): CsvRow | { reason: string } | 'incomplete' {
  const fields: string[] = []
  for (let at = start; ; ) {
    // Exports write ="00123" to keep spreadsheets from dropping zeros.
    const opening = text.charCodeAt(at) === equalsSign && text.charCodeAt(at + 1) === quote ? at + 1 : at
    const field =
      text.charCodeAt(opening) === quote
        ? parseQuotedField(text, opening, isEnd)
        : parseUnquotedField(text, at, delimiter, isEnd)
    if (typeof field !== 'object' || 'reason' in field) return field
    fields.push(field.value)
    const code = text.charCodeAt(field.end)
    if (text[field.end] === delimiter) at = field.end + 1
    else if (field.end === text.length) return isEnd ? { fields, nextOffset: field.end } : 'incomplete'
    else if (code === lineFeed) return { fields, nextOffset: field.end + 1 }
    else if (code === carriageReturn && text.charCodeAt(field.end + 1) === lineFeed)
      return { fields, nextOffset: field.end + 2 }
    else if (code === carriageReturn && field.end + 1 === text.length)
      return isEnd ? { fields, nextOffset: text.length } : 'incomplete'
    else return { reason: 'has text after a closing quote' }
  }
}

type Field = { value: string; end: number } | { reason: string } | 'incomplete'

function parseQuotedField(text: string, start: number, isEnd: boolean): Field {
  let value = ''
  for (let from = start + 1; ; ) {
    const closing = text.indexOf('"', from)
    if (closing === -1) return isEnd ? { reason: unclosedQuote } : 'incomplete'
    if (closing + 1 === text.length && !isEnd) return 'incomplete'
    value += text.slice(from, closing)
    if (text.charCodeAt(closing + 1) !== quote) return { value: withoutFormula(value), end: closing + 1 }
    value += '"'
    from = closing + 2
  }
}

/** Returns the text of `="00123"`, which exports write in quotes too. */
const withoutFormula = (value: string): string =>
  value.startsWith('="') && value.length > 2 && value.indexOf('"', 2) === value.length - 1 ? value.slice(2, -1) : value

function parseUnquotedField(text: string, start: number, delimiter: string, isEnd: boolean): Field {
  const separator = delimiter.charCodeAt(0)
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) return { reason: 'has a quote within a field that does not begin with one' }
    if (code === separator) return { value: text.slice(start, at), end: at }
    if (code === lineFeed)
      return { value: text.slice(start, text[at - 1] === '\r' && at > start ? at - 1 : at), end: at }
  }
  return isEnd ? { value: text.slice(start).replace(/\r$/, ''), end: text.length } : 'incomplete'
}

/** Returns the separator that the first non-blank row uses most outside quotes: comma, semicolon or tab. */
export function detectDelimiter(text: string): string {
  const counts = new Map([',', ';', '\t'].map((candidate) => [candidate, 0]))
  let isQuoted = false
  for (const character of text.trimStart()) {
    if (character === '"') isQuoted = !isQuoted
    if (isQuoted) continue
    if (character === '\n' || character === '\r') break
    const count = counts.get(character)
    if (count !== undefined) counts.set(character, count + 1)
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a)
  return most?.[0] ?? ','
}
