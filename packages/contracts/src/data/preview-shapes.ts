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
    name: z.string().meta({ description: 'Name of the column' }),
    type: z.enum(columnTypes).meta({ description: 'Type as which the values are read' }),
    format: z.string().nullable().meta({
      description: 'Format of times, such as `DD.MM.YYYY HH:mm`, or of times of day, such as `HH:mm-HH:mm`',
    }),
    decimal: z
      .enum(decimalMarks)
      .nullable()
      .meta({ description: 'Mark before the decimals; null for a column without numbers, or without decimals' }),
    thousands: z
      .enum(thousandsMarks)
      .nullable()
      .meta({ description: 'Mark between groups of digits; null if numbers are not grouped' }),
    nulls: z.array(z.string()).meta({ description: 'Texts of the column that are read as no value' }),
    confidence: z.number().min(0).max(1).meta({
      description: '1: the values admit no other reading. Below, other values of the file decided',
    }),
    examples: z.array(z.string()).meta({ description: 'Values as they are in the file' }),
  })
  .meta({ id: 'PreviewColumn' })

export const Preview = z
  .object({
    format: z
      .object({
        type: z.enum(sourceFileTypes).meta({ description: 'Detected type of the file' }),
        encoding: z.string().nullable().meta({ description: 'Encoding of the text; null for a file that is no text' }),
        encoding_confidence: z
          .number()
          .min(0)
          .max(1)
          .nullable()
          .meta({ description: 'Certainty of the encoding, from 0 to 1; null for a file that is no text' }),
        delimiter: z
          .string()
          .nullable()
          .meta({ description: 'Character between the columns; null for other files than CSV' }),
        header_row: z.number().int().nullable().meta({
          description: 'Line, or row of the sheet, with the names of the columns, from 1; null if there is none',
        }),
        sheet: z
          .string()
          .nullable()
          .meta({ description: 'The sheet of the workbook that is read; null for other files' }),
        sheets: z
          .array(
            z.object({
              name: z.string().meta({ description: 'Name of the sheet' }),
              rows: z
                .number()
                .int()
                .nullable()
                .meta({ description: 'Number of its rows; known for the sheet that is read, null for others' }),
            }),
          )
          .meta({ description: 'All sheets of the workbook; empty for other files' }),
        compression: z
          .enum(['gzip', 'zip'])
          .nullable()
          .meta({ description: 'How the file was packed; null if it was not' }),
        decimal: z
          .enum(decimalMarks)
          .nullable()
          .meta({ description: 'Mark before the decimals in the file; null if it is not known' }),
        thousands: z
          .enum(thousandsMarks)
          .nullable()
          .meta({ description: 'Mark between groups of digits in the file; null if numbers are not grouped' }),
      })
      .meta({ description: 'How the file is read' }),
    columns: z.array(PreviewColumn).meta({ description: 'The columns in the order of the file' }),
    rows: z.array(rowData()).meta({
      description: `The first ${previewRows} rows as they will be stored`,
    }),
    row_count: z.number().int().meta({ description: 'Number of rows in the bytes that were sent' }),
    refused: badRows(),
    refused_count: z
      .number()
      .int()
      .meta({ description: 'Number of rejected rows, also of those that `refused` does not list' }),
    warnings: z
      .array(
        z.object({
          code: z.string().meta({ description: 'Stable name of the remark' }),
          message: z.string().meta({ description: 'The remark in words, and what to do' }),
          column: z
            .string()
            .optional()
            .meta({ description: 'The column that it is about; absent if it is about the file' }),
        }),
      )
      .meta({ description: 'What was read in one of several possible ways, or may be wrong' }),
    suggestions: z
      .object({
        kind: z.enum(dataSetKinds).meta({
          description: 'The kind of data it seems to have; `table` and `documents` if it is no workplace data',
        }),
        dataset: z
          .object({
            kind: z.enum(datasetKinds).meta({ description: 'Kind of the dataset' }),
            mapping: z
              .record(z.string(), z.string())
              .meta({ description: 'Names of columns by their role in the dataset' }),
          })
          .nullable()
          .meta({
            description:
              'The kind and the mapping with which the file can become a dataset of a workplace; null if the columns do not tell all that one needs',
          }),
        timestamp: z.array(z.string()).meta({
          description: 'One column, or a column of dates and one of hours, times of day or ranges of them',
        }),
        value: z.array(z.string()).meta({ description: 'Columns of numbers that a forecast can use as values' }),
        group_by: z.array(z.string()).meta({ description: 'Columns that divide the rows into groups, such as places' }),
        measure: z.enum(['level', 'flow']).nullable().meta({
          description: '`level`: people present at a time. `flow`: people who came in an interval',
        }),
        personal: z.array(z.string()).meta({
          description:
            'Columns that seem to be about persons, such as names, addresses of mail or numbers of badges: candidates for `config.pseudonymize` and `config.drop`',
        }),
        nulls: z.array(z.string()).meta({ description: 'Values that may stand for no value, such as `-1` for closed' }),
      })
      .meta({ description: 'What the file may be used for, judged by its columns' }),
  })
  .meta({ id: 'Preview' })
export type Preview = z.infer<typeof Preview>

export const previewQuery = z.strictObject({
  data_source_id: id('src').optional().meta({
    description: 'Reads the body as an upload to this source would; an empty body: reads the beginning at its address',
  }),
  format: text(8_192).optional().meta({
    description: 'Corrections of what was detected: a `SourceFormat` as JSON',
  }),
  file_name: text(500).optional().meta({
    description: 'Name of the file; its suffix decides between types whose bytes are alike',
  }),
  truncated: z.stringbool().default(false).meta({
    description: 'True if the body is the beginning of the file only; a workbook or archive must be whole',
  }),
})
