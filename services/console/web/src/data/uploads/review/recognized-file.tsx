import type { SourceFormat } from '@wp/contracts'
import { useState } from 'react'
import { Input, Select } from '../../../ui/form/controls.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { formatCount } from '../../../ui/format/format.ts'
import { isolate } from '../../../ui/format/untrusted-text.ts'
import { delimiterChoices, encodingChoices, fileTypeChoices } from './file-words.ts'
import type { Preview } from './preview/preview-values.ts'
import styles from './review.module.css'
import { correctFile, correctTable } from './source-format.ts'
import { marksOfStyle, numberStyleChoices, styleOf } from './value-formats.ts'

export interface CorrectionProps {
  preview: Preview
  corrections: SourceFormat
  onCorrect: (corrections: SourceFormat) => void
}

/** The properties of a file that were recognized. Each that the file has can be corrected. */
export function RecognizedFile({ preview, corrections, onCorrect }: CorrectionProps) {
  const { format, columns } = preview
  const { type, encoding, delimiter, header_row: headerRow, sheet, sheets } = format
  // Words of a person are added to those that the platform knows.
  const stated: readonly string[] = corrections.nulls ?? []
  const known = columns.flatMap((column) => column.nulls).filter((word) => !stated.includes(word))
  const nulls = [...new Set([...known, ...stated])]
  return (
    <div className={styles.properties}>
      <Field label="Kind of file">
        <Select
          value={type}
          options={fileTypeChoices(format)}
          onChange={(event) => onCorrect(correctFile({ type: event.target.value as typeof type }))} // an option is a type
        />
      </Field>
      {sheet !== null && sheets.length > 0 && (
        <Field label="Sheet">
          <Select
            value={sheet}
            options={[
              ...sheets.map(({ name, rows }) => ({
                value: name,
                label: rows === null ? name : `${isolate(name)} (${formatCount(rows, 'row')})`,
              })),
              { value: '*', label: 'All sheets with the same columns' },
            ]}
            onChange={(event) => onCorrect(correctFile({ type, sheet: event.target.value }))}
          />
        </Field>
      )}
      {encoding !== null && (
        <Field label="Characters">
          <Select
            value={encoding.toLowerCase()}
            options={encodingChoices(encoding.toLowerCase())}
            onChange={(event) => onCorrect(correctTable(corrections, { encoding: event.target.value }))}
          />
        </Field>
      )}
      {delimiter !== null && (
        <Field label="Columns are separated by">
          <Select
            value={delimiter}
            options={delimiterChoices(delimiter)}
            onChange={(event) => onCorrect(correctTable(corrections, { delimiter: event.target.value }))}
          />
        </Field>
      )}
      {headerRow !== null && (
        <CommittedInput
          key={`header ${headerRow}`}
          label="Column names are in line"
          value={String(headerRow)}
          inputMode="numeric"
          onCommit={(text) => {
            const line = Number(text)
            const isLine = Number.isInteger(line) && line >= 1
            if (isLine) onCorrect(correctTable(corrections, { header_row: line }))
            return isLine
          }}
        />
      )}
      {hasWrittenNumbers(preview) && (
        <Field label="Numbers are written like">
          <Select
            value={styleOf(format)}
            options={numberStyleChoices(format)}
            onChange={(event) => onCorrect({ ...corrections, ...marksOfStyle(event.target.value, format) })}
          />
        </Field>
      )}
      <CommittedInput
        key={`nulls ${nulls.join()}`}
        label="Words for “no value”"
        placeholder="None found"
        value={nulls.join(', ')}
        onCommit={(text) => {
          const words = text.split(',').map((word) => word.trim())
          onCorrect({ ...corrections, nulls: words.filter((word) => word !== '' && !known.includes(word)) })
          return true
        }}
      />
    </div>
  )
}

/** True unless all numbers are cells of a workbook or the like, which have no marks. */
const hasWrittenNumbers = ({ columns, format: { type, decimal, thousands } }: Preview): boolean =>
  columns.some((column) => column.type === 'number') && (type === 'csv' || decimal !== null || thousands !== null)

/** A text that counts when the person leaves it or presses Enter. What cannot be used is put back. */
function CommittedInput({
  label,
  value,
  placeholder,
  inputMode,
  onCommit,
}: {
  label: string
  value: string
  placeholder?: string
  inputMode?: 'numeric'
  onCommit: (text: string) => boolean
}) {
  const [text, setText] = useState(value)
  const commit = () => {
    if (text !== value && !onCommit(text)) setText(value)
  }
  return (
    <Field label={label}>
      <Input
        value={text}
        placeholder={placeholder}
        inputMode={inputMode}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => event.key === 'Enter' && commit()}
      />
    </Field>
  )
}
