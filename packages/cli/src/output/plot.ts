/** A value at a point in time, in any unit of time. */
export interface PlotPoint {
  at: number
  value: number
}

export interface PlotBand extends PlotPoint {
  lower: number
  upper: number
}

export interface PlotOptions {
  history: readonly PlotPoint[]
  /** Drawn after the history and a vertical rule, with its interval as a band. */
  forecast: readonly PlotBand[]
  /** Total width in columns, including the axis. */
  width: number
  /** Height in rows, without the axis. */
  height?: number
  /** Draw with braille dots; otherwise in ASCII. */
  hasUnicode?: boolean
  /** Use ANSI colors. */
  hasColor?: boolean
  /** Returns the label of a point in time, such as the name of a day at its first hour. */
  labelOf?(at: number): string | undefined
}

interface Cell {
  dots: number
  kind: 'history' | 'forecast' | 'band' | 'rule' | 'empty'
}

/** Bits of the eight dots of a braille cell (U+2800), by column and by row from the top. */
const brailleDots = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
] as const
const ansi = { history: '', forecast: '\x1b[33m', band: '\x1b[2;33m', rule: '\x1b[2m', empty: '' }
const axisWidth = 7

/** Draws history and forecast over time. Returns lines of at most `width` columns. */
export function plot(options: PlotOptions): string[] {
  const { history, forecast, width, height = 12, hasUnicode = true, hasColor = false } = options
  const columns = Math.max(10, width - axisWidth)
  const scale = scaleOf(history, forecast, columns, height)
  const grid = Array.from({ length: height }, () => Array.from({ length: columns }, emptyCell))
  drawBand(grid, forecast, scale)
  if (history.length > 0 && forecast[0] !== undefined) drawRule(grid, scale.column(forecast[0].at))
  drawLine(grid, history, scale, 'history')
  drawLine(grid, forecast, scale, 'forecast')
  const rows = grid.map((cells, row) => `${valueLabel(row, height, scale.top)}${cells.map(textOf).join('')}`)
  const labels = labelLine(options, scale, columns)
  return [
    ...rows,
    `${' '.repeat(axisWidth - 2)}0${hasUnicode ? '┴' : '+'}${(hasUnicode ? '─' : '-').repeat(columns)}`,
    labels,
  ]
    .map((line) => line.trimEnd())
    .filter((line, index) => index < height + 1 || line !== '')

  function textOf(cell: Cell): string {
    const character = hasUnicode ? unicodeOf(cell) : asciiOf(cell)
    const code = ansi[cell.kind]
    return hasColor && code !== '' ? `${code}${character}\x1b[0m` : character
  }

  function valueLabel(row: number, rows: number, top: number): string {
    const isLabelled = row === 0 || row === Math.floor(rows / 2)
    const label = isLabelled ? shortNumber((top * (rows - row)) / rows) : ''
    return `${label.padStart(axisWidth - 1)}${hasUnicode ? (isLabelled ? '┤' : '│') : '|'}`
  }
}

interface Scale {
  top: number
  /** The half column of a point in time; braille cells are two dots wide. */
  half(at: number): number
  column(at: number): number
  /** The quarter row of a value, from the top; braille cells are four dots high. */
  quarter(value: number): number
}

function scaleOf(history: readonly PlotPoint[], forecast: readonly PlotBand[], columns: number, height: number): Scale {
  const times = [...history, ...forecast].map(({ at }) => at)
  const [from, to] = [Math.min(...times), Math.max(...times)]
  const top = Math.max(1e-9, ...history.map(({ value }) => value), ...forecast.map(({ upper }) => upper))
  const half = (at: number) => Math.round(((at - from) / Math.max(1e-9, to - from)) * (columns * 2 - 1))
  return {
    top,
    half,
    column: (at) => Math.floor(half(at) / 2),
    quarter: (value) => Math.round((1 - Math.min(1, Math.max(0, value / top))) * (height * 4 - 1)),
  }
}

const emptyCell = (): Cell => ({ dots: 0, kind: 'empty' })

function drawBand(grid: Cell[][], forecast: readonly PlotBand[], scale: Scale): void {
  const uppers = perHalf(forecast, scale, ({ upper }) => upper)
  const lowers = perHalf(forecast, scale, ({ lower }) => lower)
  for (const [half, upper] of uppers) {
    const lowest = Math.floor(scale.quarter(lowers.get(half) ?? upper) / 4)
    for (let row = Math.floor(scale.quarter(upper) / 4); row <= lowest; row += 1)
      put(grid, row, Math.floor(half / 2), 'band', 0)
  }
}

function drawRule(grid: Cell[][], column: number): void {
  grid.forEach((cells, row) => {
    if (cells[column]?.kind === 'empty') put(grid, row, column, 'rule', 0)
  })
}

function drawLine(grid: Cell[][], points: readonly PlotPoint[], scale: Scale, kind: 'history' | 'forecast'): void {
  let previous: number | undefined
  for (const [half, value] of perHalf(points, scale, (point) => point.value)) {
    const here = scale.quarter(value)
    const [low, high] = [Math.min(here, previous ?? here), Math.max(here, previous ?? here)]
    for (let quarter = low; quarter <= high; quarter += 1)
      put(
        grid,
        Math.floor(quarter / 4),
        Math.floor(half / 2),
        kind,
        brailleDots[half % 2 === 0 ? 0 : 1][quarter % 4] ?? 0,
      )
    previous = here
  }
}

/** Returns a value for each half column, from left to right: the mean of its points, or a linear interpolation. */
function perHalf<Point extends PlotPoint>(
  points: readonly Point[],
  scale: Scale,
  read: (point: Point) => number,
): Map<number, number> {
  const byHalf = new Map<number, Point[]>()
  for (const point of points) byHalf.set(scale.half(point.at), [...(byHalf.get(scale.half(point.at)) ?? []), point])
  const groups = [...byHalf].sort(([a], [b]) => a - b)
  const values = new Map<number, number>()
  let before: { half: number; value: number } | undefined
  for (const [half, group] of groups) {
    const value = group.reduce((sum, point) => sum + read(point), 0) / group.length
    const from = before ?? { half: half - 1, value }
    for (let step = from.half + 1; step <= half; step += 1)
      values.set(step, from.value + ((value - from.value) * (step - from.half)) / (half - from.half))
    before = { half, value }
  }
  return values
}

function put(grid: Cell[][], row: number, column: number, kind: Cell['kind'], dots: number): void {
  const cell = grid[row]?.[column]
  if (cell === undefined) return
  cell.kind = kind
  cell.dots |= dots
}

function unicodeOf({ kind, dots }: Cell): string {
  if (dots > 0) return String.fromCodePoint(0x2800 + dots)
  return kind === 'band' ? '░' : kind === 'rule' ? '┊' : ' '
}

function asciiOf({ kind }: Cell): string {
  return { history: '*', forecast: '+', band: ':', rule: '|', empty: ' ' }[kind]
}

/** Formats the labels in one line. A label that would overlap the previous one is omitted. */
function labelLine({ history, forecast, labelOf }: PlotOptions, scale: Scale, columns: number): string {
  let line = ''
  for (const { at } of [...history, ...forecast]) {
    const text = labelOf?.(at)
    const column = scale.column(at)
    if (text === undefined || column < line.length || column + text.length > columns) continue
    line = `${line.padEnd(column)}${text} `
  }
  return line === '' ? '' : ' '.repeat(axisWidth) + line
}

function shortNumber(value: number): string {
  if (value >= 10_000) return `${Math.round(value / 1000)}k`
  return value >= 10 ? String(Math.round(value)) : value.toPrecision(2)
}
