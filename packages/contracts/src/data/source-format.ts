import { z } from 'zod'
import { boundedArray, boundedRecord } from '../core/shape/bounded.ts'
import { text } from '../core/shape/shape.ts'

/** The types of files and documents that rows are read from. `csv` has any delimiter. */
export const sourceFileTypes = ['csv', 'xlsx', 'parquet', 'json', 'ndjson', 'icalendar', 'html', 'text'] as const
export type SourceFileType = (typeof sourceFileTypes)[number]

/** The types of columns. The text of a `string` is stored as it was read. */
export const columnTypes = ['string', 'number', 'boolean', 'timestamp'] as const
export type ColumnType = (typeof columnTypes)[number]

export const decimalMarks = ['.', ','] as const
export const thousandsMarks = [',', '.', "'", '’', ' ', '\u00a0', '\u202f', '\u2009', '\u2007', '_', ''] as const

const columnName = text(200)
const timestampFormat = text(50)
const maxColumns = 500
const maxNulls = 50
/** The largest number of lines before the header row. */
const maxHeaderRow = 1_000

const ColumnFormat = z
  .strictObject({
    type: z.enum(columnTypes).optional().describe('Type of the values; default: detected'),
    decimal: z.enum(decimalMarks).optional().describe('Mark before the decimals of numbers'),
    thousands: z
      .enum(thousandsMarks)
      .optional()
      .describe('Mark between groups of digits; the empty text: numbers are not grouped'),
    unit: text(20)
      .optional()
      .describe('Currency or unit that each number of the column has, such as `€` or `m²`; it is not stored'),
  })
  .meta({ id: 'ColumnFormat', description: 'How one column is read; marks override those of the file' })

/** Format of the files of a source. Absent members are detected by the first file and then stored. */
export const SourceFormat = z
  .strictObject({
    type: z.enum(sourceFileTypes).optional().describe('Type of the file'),
    encoding: text(40).optional().describe('Encoding of text, for example `utf-8` or `windows-1252`'),
    delimiter: text(2)
      // Published as no pattern: Python has no classes of Unicode, and its MCP clients refuse a tool with one.
      .refine(
        (value) => /^[^\p{L}\p{N}"\r\n]$/u.test(value),
        'must be one character that is no letter, digit, quote or line end',
      )
      .optional()
      .describe('Character between the columns of a CSV file'),
    header_row: z
      .int()
      .min(1)
      .max(maxHeaderRow)
      .optional()
      .describe('The line, or row of a sheet, with the names of the columns, from 1; the lines before it are skipped'),
    sheet: text(100)
      .optional()
      .describe('The sheet of a workbook; `*`: all sheets with the same columns, whose names are a column too'),
    decimal: z.enum(decimalMarks).optional().describe('Mark before the decimals of numbers'),
    thousands: z.enum(thousandsMarks).optional().describe('The empty text: numbers are not grouped'),
    nulls: boundedArray(text(40), maxNulls)
      .optional()
      .describe('Texts that stand for no value in columns of numbers and times, such as `N/A` or `-1`'),
    timestamp_formats: z
      .union([boundedArray(timestampFormat, 20), boundedRecord(columnName, timestampFormat, maxColumns)])
      .optional()
      .describe(
        'Formats of times, in the notation of `timestamp_format` of a forecast run: one for each column, or a list that every column of times may use',
      ),
    columns: boundedRecord(columnName, ColumnFormat, maxColumns)
      .optional()
      .describe('What differs in single columns, by the name of the column'),
  })
  .meta({ id: 'SourceFormat' })
export type SourceFormat = z.infer<typeof SourceFormat>
