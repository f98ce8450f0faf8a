import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../button/button.tsx'
import { TimeTable } from './chart-parts.tsx'
import styles from './heat-map.module.css'

export interface HeatMapCell {
  /** 0 to `highest`; null if there is none. */
  value: number | null
  /** The value in words, for the line below. */
  text: string
  /** The value in short, for the table. */
  figure: string
  state?: 'shown' | 'withheld' | 'closed'
}

export interface HeatMapProps {
  /** Says what it shows: the accessible name of the figure. */
  title: string
  rows: readonly { label: string; short: string; cells: readonly HeatMapCell[] }[]
  columns: readonly string[]
  /** The value of the full colour. */
  highest: number
  /** The ends of the scale in words. */
  scale: readonly [lowest: string, highest: string]
}

const [rowHeight, labelWidth, axisHeight, gap] = [30, 44, 22, 2]

/** Returns the height of the figure, so that a skeleton has it. */
export const heatMapHeight = (rows: number): string => `${rows * rowHeight + axisHeight + 92}px`

/**
 * Colours a table of values. The figure can be focused: arrow keys move through its cells, and a line below says the
 * value. A button shows the same values as a table.
 */
export function HeatMap({ title, rows, columns, highest, scale }: HeatMapProps) {
  const [showsTable, setShowsTable] = useState(false)
  const [at, setAt] = useState<{ row: number; column: number }>()
  const [container, width] = useWidth()
  const cellWidth = Math.max(1, (width - labelWidth) / columns.length)
  const current = at && rows[at.row]?.cells[at.column]
  const follow = (event: PointerEvent<SVGSVGElement>) => {
    const { left, top } = event.currentTarget.getBoundingClientRect()
    const row = Math.floor((event.clientY - top) / rowHeight)
    const column = Math.floor((event.clientX - left - labelWidth) / cellWidth)
    setAt(rows[row] && column >= 0 && column < columns.length ? { row, column } : undefined)
  }
  const handleKey = (event: KeyboardEvent) => {
    const move = moves[event.key]
    if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const from = at ?? { row: 0, column: 0 }
    setAt(
      at === undefined
        ? from
        : {
            row: Math.min(rows.length - 1, Math.max(0, from.row + move[0])),
            column: Math.min(columns.length - 1, Math.max(0, from.column + move[1])),
          },
    )
  }
  return (
    <figure className="stack-2" aria-label={title}>
      <div className={styles.head}>
        <Scale scale={scale} hasWithheld={rows.some(({ cells }) => cells.some(({ state }) => state === 'withheld'))} />
        <Button size="small" variant="quiet" aria-expanded={showsTable} onClick={() => setShowsTable(!showsTable)}>
          {showsTable ? 'Hide table' : 'Show as table'}
        </Button>
      </div>
      <div
        ref={container}
        className={styles.plot}
        role="application"
        tabIndex={0}
        aria-label={`${title}. Arrow keys move through ${rows.length * columns.length} values.`}
        style={{ height: rows.length * rowHeight + axisHeight }}
        onKeyDown={handleKey}
        onBlur={() => setAt(undefined)}
      >
        {width > 0 && (
          <svg
            width={width}
            height={rows.length * rowHeight + axisHeight}
            aria-hidden="true"
            onPointerMove={follow}
            onPointerDown={follow}
            onPointerLeave={() => setAt(undefined)}
          >
            <Withheld />
            {rows.map(({ short, cells }, row) => (
              <g key={short} transform={`translate(0 ${row * rowHeight})`}>
                <text className={styles.label} x={0} y={rowHeight / 2} dominantBaseline="central">
                  {short}
                </text>
                {cells.map((cell, column) => (
                  <Cell
                    key={columns[column]}
                    cell={cell}
                    highest={highest}
                    x={labelWidth + column * cellWidth}
                    width={cellWidth}
                    isCurrent={at?.row === row && at.column === column}
                  />
                ))}
              </g>
            ))}
            {columns.map(
              (column, index) =>
                index % Math.ceil(labelSpace / cellWidth) === 0 &&
                labelWidth + index * cellWidth + labelSpace - 8 <= width && (
                  <text
                    key={column}
                    className={styles.label}
                    x={labelWidth + index * cellWidth}
                    y={rows.length * rowHeight + axisHeight - 6}
                  >
                    {column}
                  </text>
                ),
            )}
          </svg>
        )}
      </div>
      <div className={styles.readout} aria-live="polite">
        {at && current && (
          <>
            <strong>
              {rows[at.row]?.label} {columns[at.column]}
            </strong>{' '}
            {current.text}
          </>
        )}
      </div>
      {showsTable && <HeatMapTable title={title} rows={rows} columns={columns} />}
    </figure>
  )
}

/** Pixels that the name of a column needs. */
const labelSpace = 44

const moves: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, -1000],
  End: [0, 1000],
}

function Cell({
  cell: { value, state = 'shown' },
  highest,
  x,
  width,
  isCurrent,
}: {
  cell: HeatMapCell
  highest: number
  x: number
  width: number
  isCurrent: boolean
}) {
  const box = { x: x + gap / 2, y: gap / 2, width: Math.max(0, width - gap), height: rowHeight - gap, rx: 3 }
  const share = value === null || highest === 0 ? 0 : Math.min(1, value / highest)
  return (
    <>
      <rect {...box} className={styles.cell} data-state={value === null ? state : 'shown'} />
      {value !== null && share > 0 && <rect {...box} className={styles.value} fillOpacity={0.06 + 0.94 * share} />}
      {value === null && state === 'withheld' && <rect {...box} fill="url(#withheld)" />}
      {isCurrent && <rect {...box} className={styles.current} />}
    </>
  )
}

/** The pattern of withheld values. */
const Withheld = () => (
  <defs>
    <pattern id="withheld" width={6} height={6} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <line className={styles.hatch} x1={0} y1={0} x2={0} y2={6} />
    </pattern>
  </defs>
)

const Scale = ({ scale: [lowest, highest], hasWithheld }: { scale: HeatMapProps['scale']; hasWithheld: boolean }) => (
  <div className={styles.scale}>
    <span>{lowest}</span>
    <span className={styles.ramp} aria-hidden="true" />
    <span>{highest}</span>
    {hasWithheld && (
      <span className={styles.key}>
        <svg width={18} height={14} aria-hidden="true">
          <Withheld />
          <rect width={18} height={14} rx={3} className={styles.cell} data-state="withheld" />
          <rect width={18} height={14} rx={3} fill="url(#withheld)" />
        </svg>
        Withheld
      </span>
    )}
  </div>
)

const HeatMapTable = ({ title, rows, columns }: Pick<HeatMapProps, 'title' | 'rows' | 'columns'>) => (
  <TimeTable
    title={title}
    columns={rows.map(({ label }) => label)}
    rows={columns.map((time, index) => ({ key: time, time, values: rows.map(({ cells }) => cells[index]?.figure) }))}
  />
)

/** Returns a reference for an element and its width, 0 until it is known. */
function useWidth() {
  const element = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (element.current === null) return
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return [element, width] as const
}
