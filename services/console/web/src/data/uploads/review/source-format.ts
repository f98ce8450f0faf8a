import type { SourceFormat } from '@wp/contracts'
import type { Preview } from './preview/preview-values.ts'

type Column = Preview['columns'][number]

/** The reading of one column that a person chose. */
export interface ColumnReading {
  type: Column['type']
  decimal?: SourceFormat['decimal']
  thousands?: SourceFormat['thousands']
  unit?: string
  timestampFormat?: string
}

/** The largest format that the platform accepts. */
const maxColumns = 500
const maxColumnNameLength = 200

/** Lays one format over another; columns that only one of them names are kept. */
export function mergeFormats(base: SourceFormat, over: SourceFormat): SourceFormat {
  const columns = { ...base.columns, ...over.columns }
  const timestampFormats = { ...formatsByColumn(base), ...formatsByColumn(over) }
  return {
    ...base,
    ...over,
    ...(Object.keys(columns).length > 0 && { columns }),
    ...(Object.keys(timestampFormats).length > 0 && { timestamp_formats: timestampFormats }),
  }
}

/** A list of formats, which any column may use, decides nothing about one column. */
const formatsByColumn = ({ timestamp_formats: formats }: SourceFormat): Record<string, string> =>
  Array.isArray(formats) ? {} : { ...formats }

/** Corrects how the columns of a file are found. Corrections of columns are dropped: the columns may be others then. */
export function correctTable(
  corrections: SourceFormat,
  part: Pick<SourceFormat, 'encoding' | 'delimiter' | 'header_row'>,
): SourceFormat {
  const { columns: _, timestamp_formats: __, ...rest } = corrections
  return { ...rest, ...part }
}

/** Corrects what a file is, or its sheet. Every other correction is dropped. */
export const correctFile = (part: Pick<SourceFormat, 'type' | 'sheet'>): SourceFormat => part

/** Corrects one column. What an earlier correction said about it is replaced. */
export function correctColumn(
  corrections: SourceFormat,
  name: string,
  { timestampFormat, ...column }: ColumnReading,
): SourceFormat {
  const columns = { ...corrections.columns, [name]: column }
  const { [name]: _, ...others } = formatsByColumn(corrections)
  const formats = timestampFormat === undefined ? others : { ...others, [name]: timestampFormat }
  return { ...corrections, columns, timestamp_formats: formats }
}

/**
 * Returns the whole format that a person has accepted, to be stored in the source: what the preview shows, with the
 * corrections. Words for no value that the platform knows are not stored: in columns of text they may be names. A
 * column that the platform cannot store in a format is left to be recognized again.
 */
export function acceptedFormat({ format, columns }: Preview, corrections: SourceFormat): SourceFormat {
  const { type, encoding, delimiter, header_row, sheet, decimal, thousands } = format
  const stored = columns.length > maxColumns ? [] : columns.filter(({ name }) => isStorableName(name))
  const detected: SourceFormat = {
    type,
    ...(encoding !== null && { encoding }),
    ...(delimiter !== null && { delimiter }),
    ...(header_row !== null && { header_row }),
    ...(sheet !== null && { sheet }),
    ...(decimal !== null && { decimal }),
    ...(thousands !== null && { thousands }),
    columns: Object.fromEntries(stored.map((column) => [column.name, columnFormat(column, format)])),
    timestamp_formats: Object.fromEntries(
      stored.flatMap(({ name, type: of, format: own }) => (of === 'timestamp' && own !== null ? [[name, own]] : [])),
    ),
  }
  return mergeFormats(detected, corrections)
}

/** Marks are stated where they differ from those of the file. */
function columnFormat({ type, decimal, thousands, unit }: Column, file: Preview['format']) {
  if (type !== 'number') return { type }
  return {
    type,
    ...(decimal !== null && decimal !== file.decimal && { decimal }),
    ...(thousands !== null && thousands !== file.thousands && { thousands }),
    ...(unit !== null && { unit }),
  }
}

const isStorableName = (name: string): boolean =>
  name.length > 0 && name.length <= maxColumnNameLength && !name.includes('\0')
