import { z } from 'zod'
import { boundedRecord } from '../core/shape/bounded.ts'
import { timeZone } from '../core/shape/locale.ts'
import { text } from '../core/shape/shape.ts'
import { webAddress } from '../core/shape/web-address.ts'
import { checkProtectedColumns, protectedColumns } from './protected-columns.ts'
import { defaultSearchLanguage, SearchLanguage } from './search-shapes.ts'
import { SourceFormat } from './source-format.ts'

const fieldName = text(200)
const maxDeclaredFields = 500
const maxHeaders = 50

/** The types a field can be declared with. */
export const declarableTypes = ['string', 'number', 'boolean', 'timestamp'] as const
export type DeclarableType = (typeof declarableTypes)[number]

const DeclaredField = z
  .strictObject({
    type: z.enum(declarableTypes).describe('Type of the values of the field'),
    timezone: timeZone()
      .optional()
      .describe('Time zone of times without one; default UTC. Allowed for a `timestamp` only'),
  })
  .refine(({ type, timezone }) => timezone === undefined || type === 'timestamp', {
    path: ['timezone'],
    error: 'is allowed for a timestamp only',
  })
  .meta({ id: 'DeclaredField' })
export type DeclaredField = z.infer<typeof DeclaredField>

/** The providers of data sources. */
export const sourceProviders = ['upload', 'http', 'postgres', 's3'] as const
export type SourceProvider = (typeof sourceProviders)[number]

/** The mapping of rows to records, for every provider. */
const fieldMapping = {
  key: fieldName
    .optional()
    .describe(
      'The field that identifies a row, applied to rows read from now on. Default: the whole content of the row, and for equal rows of a file their number',
    ),
  title_field: fieldName.optional().describe('The field with the title of a record; default `title` or `name`'),
  text_field: fieldName
    .optional()
    .describe('The field that is searched together with the title; default: all text fields'),
  url_field: fieldName.optional().describe('The field with the URL of a record; default `url`'),
  timestamp_field: fieldName
    .optional()
    .describe('The field with the time of a record, shown as `occurred_at`; a timestamp unless declared otherwise'),
  fields: boundedRecord(fieldName, DeclaredField, maxDeclaredFields)
    .optional()
    .describe(
      'Declared types of fields; default: inferred. A row of a file with a value that does not match its type is refused. A value that was stored before, or read from a database, stays as it is, matches no range, and is counted in `schema_changes` of the sync',
    ),
  language: SearchLanguage.optional().describe(
    `Language of the records for search; default ${defaultSearchLanguage}. A change is applied by the next sync`,
  ),
  ...protectedColumns,
}

/** The structure of documents that are read over the network. */
const documentLayout = {
  rows_path: text(1000, 0)
    .regex(/^(\/([^~/]|~[01])*)*$/, 'must be a JSON Pointer')
    .optional()
    .describe('JSON Pointer (RFC 6901) to the array of rows in a JSON document, such as `/data/items`'),
  charset: text(40).optional().describe('Charset, if the response does not state one; default UTF-8'),
}

const formatDescription =
  'How the files are read. What is absent is detected by the first file and then stored, so that a later file cannot change it; a file that contradicts it is refused'

/** Limits what one full sync or upload may delete. */
const deletionLimit = {
  max_deletion_share: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe(
      'A full sync or upload that would delete this share of at least 20 records, or more, fails with `too_many_deletions`; default 0.5. With 1 it may delete all of them, but a source without a row still deletes none. An upload for a period has the limit only if it is set',
    ),
}

export const UploadConfig = z
  .strictObject({
    ...fieldMapping,
    ...deletionLimit,
    format: SourceFormat.optional().describe(formatDescription),
  })
  .superRefine(checkProtectedColumns)
  .meta({ id: 'UploadConfig' })
export type UploadConfig = z.infer<typeof UploadConfig>

const formats = ['auto', 'csv', 'json', 'ndjson', 'xlsx', 'parquet', 'icalendar', 'html', 'text'] as const

const fetchedFormat = (description: string) =>
  z
    .union([z.enum(formats), SourceFormat])
    .default('auto')
    .describe(`${description}. ${formatDescription}`)

const jsonPointer = (use: string) =>
  text(1000)
    .regex(/^(\/([^~/]|~[01])*)+$/, 'must be a JSON Pointer')
    .describe(`JSON Pointer ${use}`)

const pageSize = {
  size_parameter: text(200).optional().describe('Query parameter of the size of a page; not sent by default'),
  size: z.number().int().min(1).max(10_000).optional().describe('Rows of a page, as sent in `size_parameter`'),
}

const Paging = z
  .discriminatedUnion('type', [
    z
      .strictObject({
        type: z.literal('link').describe('By a link in the response'),
        path: jsonPointer('to the address of the next page in the response, such as `/@odata.nextLink`').optional(),
      })
      .describe('The `Link` header with `rel="next"` (RFC 8288), or an address in the response, to the same site'),
    z
      .strictObject({
        type: z.literal('cursor').describe('By a cursor in the response'),
        path: jsonPointer('to the next cursor in the response; missing, null or empty on the last page'),
        parameter: text(200).describe('The query parameter of the cursor'),
      })
      .describe('A cursor in the response'),
    z
      .strictObject({
        type: z.literal('page').describe('By the number of the page'),
        parameter: text(200).default('page').describe('Query parameter of the number'),
        first: z.number().int().min(0).max(1).default(1).describe('Number of the first page'),
        ...pageSize,
      })
      .describe('A page number; the last page is followed by one without rows, or by 404'),
    z
      .strictObject({
        type: z.literal('offset').describe('By the number of a row'),
        parameter: text(200).default('offset').describe('Query parameter of the first row, such as `$skip`'),
        first: z
          .number()
          .int()
          .min(0)
          .max(1)
          .default(0)
          .describe('Number of the first row; 1 for `startIndex` of SCIM'),
        ...pageSize,
      })
      .describe('The number of the first row of a page; the last page is followed by one without rows, or by 404'),
  ])
  .meta({ id: 'HttpPaging' })

export const HttpConfig = z
  .strictObject({
    ...fieldMapping,
    ...documentLayout,
    url: webAddress(2048)
      .min(1)
      .describe(
        'URL to read, at most 1 GiB per response, optionally gzip. With an integration it must be at or below its `base_url`',
      ),
    ...deletionLimit,
    format: fetchedFormat('`auto`: by the content of the response and its content type'),
    headers: boundedRecord(text(64), z.string().regex(/^[\x20-\x7e]{0,8192}$/, 'must be printable ASCII'), maxHeaders)
      .default({})
      .describe(
        'Sent with every request, but not to another site after a redirect. Not for secrets, which belong in an integration',
      ),
    paging: Paging.optional(),
    since: z
      .strictObject({
        field: fieldName.describe('Field of the rows that grows, such as the time of a change'),
        parameter: text(200).describe('Query parameter that gets its greatest value'),
      })
      .optional()
      .describe(
        'For incremental syncs: the query parameter is sent with the greatest value of the field so far, to request newer rows only',
      ),
    overlap_seconds: z
      .number()
      .int()
      .min(0)
      .max(604_800)
      .default(0)
      .describe('Overlap of incremental syncs, for rows that became visible late'),
  })
  .superRefine(checkProtectedColumns)
  .meta({ id: 'HttpSourceConfig' })
export type HttpConfig = z.infer<typeof HttpConfig>

export const PostgresConfig = z
  .strictObject({
    ...fieldMapping,
    ...deletionLimit,
    query: text(32_768).describe('One SELECT statement, run in one read-only snapshot'),
    cursor_field: fieldName
      .optional()
      .describe(
        'For incremental syncs: an increasing column of the result, such as `updated_at`. Rows with the last value or a greater one are read; rows without a value only by the first sync and by full syncs. Without it every sync reads all rows',
      ),
    overlap_seconds: z
      .number()
      .int()
      .min(0)
      .max(604_800)
      .default(0)
      .describe('For a cursor that is a time: overlap of incremental syncs, for rows that were committed late'),
    statement_timeout_seconds: z
      .number()
      .int()
      .min(1)
      .max(3600)
      .default(300)
      .describe('Limit for the first rows, and for each following batch of up to 1,000 rows'),
  })
  .superRefine(checkProtectedColumns)
  .meta({ id: 'PostgresSourceConfig' })
export type PostgresConfig = z.infer<typeof PostgresConfig>

export const S3Config = z
  .strictObject({
    ...fieldMapping,
    ...documentLayout,
    prefix: text(1024, 0)
      .default('')
      .describe('Beginning of the keys of the objects to read; empty for the whole bucket'),
    pattern: text(1024)
      .optional()
      .describe('Pattern of the keys of the objects: `*` matches anything but `/`, `**` anything, `?` one character'),
    ...deletionLimit,
    format: fetchedFormat('`auto`: by the content of the object and the suffix of its key'),
  })
  .superRefine(checkProtectedColumns)
  .meta({ id: 'S3SourceConfig' })
export type S3Config = z.infer<typeof S3Config>

/** The config shapes by provider. */
export const sourceConfigs = { upload: UploadConfig, http: HttpConfig, postgres: PostgresConfig, s3: S3Config } as const
export type SourceConfig = z.infer<(typeof sourceConfigs)[SourceProvider]>
