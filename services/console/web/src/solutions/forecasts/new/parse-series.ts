import type { NewForecast } from '../run-input.ts'
import { LineError } from './forecast-text.ts'

type Series = NonNullable<NewForecast['series']>

const defaultGroupField = 'group'

/**
 * Parses pasted rows of `time, value` or `time, group, value`, separated by tab, semicolon or comma; the first row may
 * name the columns. An empty value is a gap.
 * @throws LineError for a row with another number of columns, and a value that is not a number or may be read in two
 * ways
 */
export function parseSeries(text: string): Series {
  const rows = text
    .split(/\r?\n/)
    .map((line, index) => ({ number: index + 1, line }))
    .filter(({ line }) => line.trim() !== '')
  const [first] = rows
  if (first === undefined) return []
  const separator = ['\t', ';'].find((candidate) => first.line.includes(candidate)) ?? ','
  const cellsOf = (line: string) => line.split(separator).map((cell) => cell.trim())
  const header = cellsOf(first.line)
  const columns = header.length
  if (columns !== 2 && columns !== 3)
    throw new LineError(first.number, 'write a time and a value, or a time, a group and a value')
  const hasHeader = !/^\d/.test(header[0] ?? '')
  const field = hasHeader && columns === 3 ? header[1] || defaultGroupField : defaultGroupField
  const hasDecimals = rows.some(({ line }) => isDecimal(cellsOf(line).at(-1) ?? ''))
  const groups = new Map<string, Series[number]>()
  for (const { number, line } of hasHeader ? rows.slice(1) : rows) {
    const cells = cellsOf(line)
    if (cells.length !== columns)
      throw new LineError(number, `has ${cells.length} columns, and the first line has ${columns}`)
    const [ts = '', group, value] = columns === 3 ? cells : [cells[0], '', cells[1]]
    const points = pointsOf(groups, columns === 3 ? { [field]: group ?? '' } : {}, group ?? '')
    points.push({ ts, value: readValue(value ?? '', number, hasDecimals) })
  }
  return [...groups.values()]
}

function pointsOf(groups: Map<string, Series[number]>, key: Record<string, string>, group: string) {
  const existing = groups.get(group)
  if (existing) return existing.points
  const created = { key, points: [] }
  groups.set(group, created)
  return created.points as Series[number]['points'] // an empty list of points
}

/** One point before three figures separates decimals or thousands. */
const isDoubtful = (text: string): boolean => /^[+-]?[1-9]\d{0,2}\.\d{3}$/.test(text)
const isDecimal = (text: string): boolean => /^[+-]?\d*\.\d+$/.test(text) && !isDoubtful(text)

/** @param hasDecimals true if another value has a point that can separate decimals only */
function readValue(text: string, line: number, hasDecimals: boolean): number | null {
  if (text === '') return null
  if (isDoubtful(text) && !hasDecimals)
    throw new LineError(line, `“${text}” can be read in two ways. Write ${text.replace('.', '')} or ${text}0.`)
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text))) return Number(text)
  throw new LineError(line, `“${text}” is not a number. Write numbers as 1234.5.`)
}
