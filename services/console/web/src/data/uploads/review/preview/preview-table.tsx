import { useState } from 'react'
import { Button } from '../../../../ui/button/button.tsx'
import { Select } from '../../../../ui/form/controls.tsx'
import { formatCount, formatNumber } from '../../../../ui/format/format.ts'
import { columnTypeChoices } from '../file-words.ts'
import type { CorrectionProps } from '../recognized-file.tsx'
import styles from '../review.module.css'
import { type ColumnReading, correctColumn } from '../source-format.ts'
import { marksOfStyle, numberStyleChoices, styleOf, timestampFormatChoices } from '../value-formats.ts'
import { formatReadTime, formatReadValue, type Preview } from './preview-values.ts'

type PreviewColumn = Preview['columns'][number]

/** Kinds of files that have dates of their own, which need no format. */
const ownDates: Partial<Record<Preview['format']['type'], string>> = { xlsx: 'Excel date', parquet: 'Parquet date' }

/** More columns are shown when the person asks for them. */
const firstColumns = 30

/** The first rows as they will be read, with the reading of each column above its values. */
export function PreviewTable({ preview, corrections, onCorrect }: CorrectionProps) {
  const { columns, rows, format } = preview
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? columns : columns.slice(0, firstColumns)
  return (
    <>
      <section className={styles.scroll} tabIndex={0} aria-label="First rows as they will be read">
        <table className={styles.table}>
          <thead>
            <tr>
              {shown.map(({ name, type }) => (
                <th key={name} scope="col" data-type={type}>
                  {name}
                </th>
              ))}
            </tr>
            <tr>
              {shown.map((column) => (
                <td key={column.name}>
                  <ColumnControls
                    column={column}
                    file={format}
                    onCorrect={(reading) => onCorrect(correctColumn(corrections, column.name, reading))}
                  />
                </td>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={index}>
                {shown.map(({ name, type }) => (
                  <td key={name} data-type={type}>
                    <Value value={Object.hasOwn(row, name) ? row[name] : undefined} type={type} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {columns.length > shown.length && (
        <Button size="small" onClick={() => setWhole(true)}>
          Show {formatCount(columns.length - shown.length, 'more column')}
        </Button>
      )}
    </>
  )
}

function Value({ value, type }: { value: unknown; type: PreviewColumn['type'] }) {
  const text = formatReadValue(value)
  if (text === undefined || text === '') return <span className="muted small">no value</span>
  return type === 'timestamp' ? formatReadTime(text) : text
}

/** The type of a column and, of numbers and times, how they are written. */
function ColumnControls({
  column,
  file,
  onCorrect,
}: {
  column: PreviewColumn
  file: Preview['format']
  onCorrect: (reading: ColumnReading) => void
}) {
  const { name, type, format, confidence, unit } = column
  const marks = { decimal: column.decimal ?? file.decimal, thousands: column.thousands ?? file.thousands }
  return (
    <div className={styles.controls}>
      <Select
        aria-label={`Type of ${name}`}
        value={type}
        options={columnTypeChoices}
        onChange={(event) => onCorrect({ type: event.target.value as typeof type })} // an option is a type
      />
      {type === 'number' && (
        <Select
          aria-label={`How numbers of ${name} are written`}
          value={styleOf(marks)}
          options={numberStyleChoices(marks)}
          onChange={(event) =>
            onCorrect({ type, ...marksOfStyle(event.target.value, marks), ...(unit !== null && { unit }) })
          }
        />
      )}
      {type === 'timestamp' && (
        <Select
          aria-label={`How times of ${name} are written`}
          value={format ?? ''}
          options={[
            ...(format === null ? [{ value: '', label: ownDates[file.type] ?? 'Year-Month-Day (2026-12-31)' }] : []),
            ...timestampFormatChoices(format),
          ]}
          onChange={(event) => onCorrect({ type, timestampFormat: event.target.value })}
        />
      )}
      {unit !== null && <span className="muted small">in {unit}</span>}
      {confidence < 1 && (
        <span className="muted small">{formatNumber(100 * confidence, 0)} % certain: please check</span>
      )}
    </div>
  )
}
