/** A piece of a line. */
export type Inline =
  | { type: 'text'; text: string }
  | { type: 'strong'; text: string }
  | { type: 'emphasis'; text: string }
  | { type: 'code'; text: string }
  | { type: 'link'; text: string; url: string }
  | { type: 'citation'; index: number }

/** A block of an answer. */
export type Block =
  | { type: 'heading'; level: number; text: string }
  | { type: 'paragraph'; text: string }
  | { type: 'quote'; text: string }
  | { type: 'list'; isOrdered: boolean; start: number; items: readonly string[] }
  | { type: 'code'; text: string }
  | { type: 'table'; header: readonly string[]; rows: readonly (readonly string[])[] }
  | { type: 'rule' }

const fence = /^\s*```/
const heading = /^(#{1,6})\s+(.*)$/
const listItem = /^\s*(?:([-*+])|(\d{1,9})[.)])\s+(.*)$/
const quote = /^>\s?(.*)$/
const rule = /^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/
const tableRow = /^\s*\|(.*)\|\s*$/
const tableRule = /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/

/**
 * Splits an answer into the blocks of Markdown that models write: headings, paragraphs, lists, quotes, code and tables.
 * Any text is accepted; what is not one of these is a paragraph. HTML is text.
 */
export function parseAnswer(text: string): Block[] {
  const lines = text.split(/\r?\n/)
  const blocks: Block[] = []
  let at = 0
  while (at < lines.length) {
    const { block, next } = readBlock(lines, at)
    if (block !== undefined) blocks.push(block)
    at = next
  }
  return blocks
}

interface ReadBlock {
  block: Block | undefined
  /** The line after the block. */
  next: number
}

function readBlock(lines: readonly string[], at: number): ReadBlock {
  const line = lines[at] ?? ''
  if (line.trim() === '') return { block: undefined, next: at + 1 }
  if (fence.test(line)) return readCode(lines, at)
  const [, marks, title] = heading.exec(line) ?? []
  if (marks !== undefined)
    return { block: { type: 'heading', level: marks.length, text: (title ?? '').trim() }, next: at + 1 }
  if (rule.test(line)) return { block: { type: 'rule' }, next: at + 1 }
  if (tableRow.test(line) && tableRule.test(lines[at + 1] ?? '')) return readTable(lines, at)
  if (listItem.test(line)) return readList(lines, at)
  if (quote.test(line)) {
    const next = endOf(lines, at, (other) => quote.test(other))
    const text = lines.slice(at, next).map((other) => quote.exec(other)?.[1] ?? '')
    return { block: { type: 'quote', text: text.join('\n') }, next }
  }
  const next = endOf(lines, at + 1, (other, index) => !beginsBlock(lines, index, other))
  return { block: { type: 'paragraph', text: lines.slice(at, next).join('\n') }, next }
}

const beginsBlock = (lines: readonly string[], at: number, line: string): boolean =>
  line.trim() === '' ||
  fence.test(line) ||
  heading.test(line) ||
  listItem.test(line) ||
  quote.test(line) ||
  rule.test(line) ||
  (tableRow.test(line) && tableRule.test(lines[at + 1] ?? ''))

/** Returns the first line from `at` that does not belong to the block. */
function endOf(lines: readonly string[], at: number, belongs: (line: string, index: number) => boolean): number {
  let next = at
  while (next < lines.length && belongs(lines[next] ?? '', next)) next += 1
  return next
}

/** Code that is still being written has no closing fence yet. */
function readCode(lines: readonly string[], at: number): ReadBlock {
  const end = endOf(lines, at + 1, (line) => !fence.test(line))
  return { block: { type: 'code', text: lines.slice(at + 1, end).join('\n') }, next: end + 1 }
}

/** A line below an item that is indented continues it. */
function readList(lines: readonly string[], at: number): ReadBlock {
  const isOrdered = listItem.exec(lines[at] ?? '')?.[2] !== undefined
  const start = Number(listItem.exec(lines[at] ?? '')?.[2] ?? 1)
  const items: string[] = []
  const next = endOf(lines, at, (line) => {
    const item = listItem.exec(line)
    if (item !== null && (item[2] !== undefined) === isOrdered) items.push(item[3] ?? '')
    else if (item === null && /^\s+\S/.test(line)) items.push(`${items.pop() ?? ''} ${line.trim()}`)
    else return false
    return true
  })
  return { block: { type: 'list', isOrdered, start, items }, next }
}

function readTable(lines: readonly string[], at: number): ReadBlock {
  const next = endOf(lines, at + 2, (line) => tableRow.test(line))
  const cells = (line: string) => (tableRow.exec(line)?.[1] ?? '').split('|').map((cell) => cell.trim())
  const rows = lines.slice(at + 2, next).map(cells)
  return { block: { type: 'table', header: cells(lines[at] ?? ''), rows }, next }
}

const inline =
  /`([^`]+)`|\*\*([^\s*](?:[^*]*[^\s*])?)\*\*|\*([^\s*](?:[^*\n]*[^\s*])?)\*|\[([^[\]\n]{1,500})\]\((https?:\/\/[^\s()[\]]{1,2000})\)|\[(\d{1,4})\]/g

/** Splits a text into plain pieces, bold, emphasis, code, links to http addresses and markers of citations. */
export function parseInline(text: string): Inline[] {
  const pieces: Inline[] = []
  let at = 0
  for (const match of text.matchAll(inline)) {
    if (match.index > at) pieces.push({ type: 'text', text: text.slice(at, match.index) })
    pieces.push(toInline(match))
    at = match.index + match[0].length
  }
  if (at < text.length) pieces.push({ type: 'text', text: text.slice(at) })
  return pieces
}

function toInline([all, code, strong, emphasis, linkText, url, index]: RegExpExecArray): Inline {
  if (code !== undefined) return { type: 'code', text: code }
  if (strong !== undefined) return { type: 'strong', text: strong }
  if (emphasis !== undefined) return { type: 'emphasis', text: emphasis }
  if (linkText !== undefined && url !== undefined) return { type: 'link', text: linkText, url }
  if (index !== undefined) return { type: 'citation', index: Number(index) }
  return { type: 'text', text: all }
}
