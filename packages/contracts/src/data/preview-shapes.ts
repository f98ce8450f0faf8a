import { z } from 'zod'
import { id } from '../core/shape/id.ts'
import { text } from '../core/shape/shape.ts'
import { datasetKinds } from '../solutions/workplace/dataset-shapes.ts'
import { rowData } from './record-shapes.ts'
import { columnTypes, decimalMarks, sourceFileTypes, thousandsMarks } from './source-format.ts'
import { badRows } from './sync-shapes.ts'

/** The largest body of a preview, in bytes. */
export const maxPreviewBytes = 33_554_432
/** Rows of a preview. */
export const previewRows = 20

/** The kinds of data sets that a preview recognizes. */
export const dataSetKinds = [...datasetKinds, 'table', 'documents'] as const

const PreviewColumn = z
  .object({
    name: z.string().describe('Name of the column'),
    type: z.enum(columnTypes).describe('Type as which the values are read'),
    format: z
      .string()
      .nullable()
      .describe('Format of times, such as `DD.MM.YYYY HH:mm`, or of times of day, such as `HH:mm-HH:mm`'),
    decimal: z
      .enum(decimalMarks)
      .nullable()
      .describe('Mark before the decimals; null for a column without numbers, or without decimals'),
    thousands: z
      .enum(thousandsMarks)
      .nullable()
      .describe('Mark between groups of digits; null if numbers are not grouped'),
    unit: z
      .string()
      .nullable()
      .describe('Currency or unit of the numbers, such as `€` or `m²`, which is not part of them; null for none'),
    nulls: z.array(z.string()).describe('Texts of the column that are read as no value'),
    confidence: z
      .number()
      .min(0)
      .max(1)
      .describe('1: the values admit no other reading. Below, other values of the file decided'),
    examples: z.array(z.string()).describe('Values as they are in the file'),
  })
  .meta({ id: 'PreviewColumn' })

export const Preview = z
  .object({
    format: z
      .object({
        type: z.enum(sourceFileTypes).describe('Detected type of the file'),
        encoding: z.string().nullable().describe('Encoding of the text; null for a file that is no text'),
        encoding_confidence: z
          .number()
          .min(0)
          .max(1)
          .nullable()
          .describe('Certainty of the encoding, from 0 to 1; null for a file that is no text'),
        delimiter: z.string().nullable().describe('Character between the columns; null for other files than CSV'),
        header_row: z
          .number()
          .int()
          .nullable()
          .describe('Line, or row of the sheet, with the names of the columns, from 1; null if there is none'),
        sheet: z.string().nullable().describe('The sheet of the workbook that is read; null for other files'),
        sheets: z
          .array(
            z.object({
              name: z.string().describe('Name of the sheet'),
              rows: z
                .number()
                .int()
                .nullable()
                .describe('Number of its rows; known for the sheet that is read, null for others'),
            }),
          )
          .describe('All sheets of the workbook; empty for other files'),
        compression: z.enum(['gzip', 'zip']).nullable().describe('How the file was packed; null if it was not'),
        decimal: z
          .enum(decimalMarks)
          .nullable()
          .describe('Mark before the decimals in the file; null if it is not known'),
        thousands: z
          .enum(thousandsMarks)
          .nullable()
          .describe('Mark between groups of digits in the file; null if numbers are not grouped'),
      })
      .describe('How the file is read'),
    columns: z.array(PreviewColumn).describe('The columns in the order of the file'),
    rows: z.array(rowData()).describe(`The first ${previewRows} rows as they will be stored`),
    row_count: z.number().int().describe('Number of rows in the bytes that were sent'),
    refused: badRows(),
    refused_count: z.number().int().describe('Number of rejected rows, also of those that `refused` does not list'),
    warnings: z
      .array(
        z.object({
          code: z.string().describe('Stable name of the remark'),
          message: z.string().describe('The remark in words, and what to do'),
          column: z.string().optional().describe('The column that it is about; absent if it is about the file'),
        }),
      )
      .describe('What was read in one of several possible ways, or may be wrong'),
    suggestions: z
      .object({
        kind: z
          .enum(dataSetKinds)
          .describe('The kind of data it seems to have; `table` and `documents` if it is no workplace data'),
        dataset: z
          .object({
            kind: z.enum(datasetKinds).describe('Kind of the dataset'),
            mapping: z.record(z.string(), z.string()).describe('Names of columns by their role in the dataset'),
          })
          .nullable()
          .describe(
            'The kind and the mapping with which the file can become a dataset of a workplace; null if the columns do not tell all that one needs',
          ),
        timestamp: z
          .array(z.string())
          .describe('One column, or a column of dates and one of hours, times of day or ranges of them'),
        value: z.array(z.string()).describe('Columns of numbers that a forecast can use as values'),
        group_by: z.array(z.string()).describe('Columns that divide the rows into groups, such as places'),
        measure: z
          .enum(['level', 'flow'])
          .nullable()
          .describe('`level`: people present at a time. `flow`: people who came in an interval'),
        personal: z
          .array(z.string())
          .describe(
            'Columns that seem to be about persons, such as names, addresses of mail or numbers of badges: candidates for `config.pseudonymize` and `config.drop`',
          ),
        nulls: z.array(z.string()).describe('Values that may stand for no value, such as `-1` for closed'),
        continues: z
          .array(
            z.object({
              data_source_id: id('src'),
              name: z.string().describe('Name of the data source'),
              until: z.string().nullable().describe('The last day of its records; null if it is not told'),
              overlaps: z.boolean().nullable().describe('True if it has records of the days of the file too'),
            }),
          )
          .describe('Data sources of uploads with the same columns, to which the file may belong, the newest first'),
      })
      .describe('What the file may be used for, judged by its columns'),
  })
  .meta({ id: 'Preview' })
export type Preview = z.infer<typeof Preview>

export const previewQuery = z.strictObject({
  data_source_id: id('src')
    .optional()
    .describe('Reads the body as an upload to this source would; an empty body: reads the beginning at its address'),
  format: text(8_192).optional().describe('Corrections of what was detected: a `SourceFormat` as JSON'),
  file_name: text(500).optional().describe('Name of the file; its suffix decides between types whose bytes are alike'),
  truncated: z
    .stringbool()
    .default(false)
    .describe('True if the body is the beginning of the file only; a workbook or archive must be whole'),
})
