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
    name: z.string(),
    type: z.enum(columnTypes),
    format: z.string().nullable().meta({
      description: 'Format of times, such as `DD.MM.YYYY HH:mm`, or of times of day, such as `HH:mm-HH:mm`',
    }),
    decimal: z.enum(decimalMarks).nullable(),
    thousands: z.enum(thousandsMarks).nullable(),
    nulls: z.array(z.string()).meta({ description: 'Texts of the column that are read as no value' }),
    confidence: z.number().min(0).max(1).meta({
      description: '1: the values admit no other reading. Below, other values of the file decided',
    }),
    examples: z.array(z.string()).meta({ description: 'Values as they are in the file' }),
  })
  .meta({ id: 'PreviewColumn' })

export const Preview = z
  .object({
    format: z.object({
      type: z.enum(sourceFileTypes),
      encoding: z.string().nullable(),
      encoding_confidence: z.number().min(0).max(1).nullable(),
      delimiter: z.string().nullable(),
      header_row: z.number().int().nullable(),
      sheet: z.string().nullable(),
      sheets: z.array(z.object({ name: z.string(), rows: z.number().int().nullable() })),
      compression: z.enum(['gzip', 'zip']).nullable(),
      decimal: z.enum(decimalMarks).nullable(),
      thousands: z.enum(thousandsMarks).nullable(),
    }),
    columns: z.array(PreviewColumn),
    rows: z.array(rowData()).meta({
      description: `The first ${previewRows} rows as they will be stored`,
    }),
    row_count: z.number().int().meta({ description: 'Number of rows in the bytes that were sent' }),
    refused: badRows(),
    refused_count: z.number().int(),
    warnings: z.array(z.object({ code: z.string(), message: z.string(), column: z.string().optional() })),
    suggestions: z.object({
      kind: z.enum(dataSetKinds),
      dataset: z
        .object({ kind: z.enum(datasetKinds), mapping: z.record(z.string(), z.string()) })
        .nullable()
        .meta({
          description:
            'The kind and the mapping with which the file can become a dataset of a workplace; null if the columns do not tell all that one needs',
        }),
      timestamp: z.array(z.string()).meta({
        description: 'One column, or a column of dates and one of hours, times of day or ranges of them',
      }),
      value: z.array(z.string()),
      group_by: z.array(z.string()),
      measure: z.enum(['level', 'flow']).nullable().meta({
        description: '`level`: people present at a time. `flow`: people who came in an interval',
      }),
      personal: z.array(z.string()).meta({
        description:
          'Columns that seem to be about persons, such as names, addresses of mail or numbers of badges: candidates for `config.pseudonymize` and `config.drop`',
      }),
      nulls: z.array(z.string()).meta({ description: 'Values that may stand for no value, such as `-1` for closed' }),
    }),
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
