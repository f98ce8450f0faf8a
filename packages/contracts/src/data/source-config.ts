import { z } from 'zod'
import { text } from '../core/shape.ts'
import { timeZone } from './schedule.ts'
import { defaultSearchLanguage, SearchLanguage } from './search.ts'

const fieldName = text(200)

/** What a field can be declared to hold. */
export const declarableTypes = ['string', 'number', 'boolean', 'timestamp'] as const
export type DeclarableType = (typeof declarableTypes)[number]

const DeclaredField = z
  .strictObject({
    type: z.enum(declarableTypes),
    timezone: timeZone()
      .optional()
      .meta({ description: 'Of times that name no zone themselves; UTC by default. For a `timestamp` only' }),
  })
  .refine(({ type, timezone }) => timezone === undefined || type === 'timestamp', {
    path: ['timezone'],
    error: 'is for a timestamp only',
  })
  .meta({ id: 'DeclaredField' })
export type DeclaredField = z.infer<typeof DeclaredField>

/** Where data comes from. */
export const sourceProviders = ['upload', 'http', 'postgres', 's3'] as const
export type SourceProvider = (typeof sourceProviders)[number]

/** What every provider's rows become. */
const fieldMapping = {
  key: fieldName.optional().meta({
    description: 'The field that identifies a row, for rows read from then on. Without it, all that a row says does',
  }),
  title_field: fieldName.optional().meta({ description: 'What titles a record; without it, `title` or `name`' }),
  text_field: fieldName.optional().meta({
    description: 'What search reads of a record beside its title; without it, all its texts',
  }),
  url_field: fieldName.optional().meta({ description: 'The web address of a record; without it, `url`' }),
  timestamp_field: fieldName.optional().meta({
    description:
      'When a record happened; shown with it as `occurred_at`, and read as a timestamp where not declared otherwise',
  }),
  fields: z
    .record(fieldName, DeclaredField)
    .refine((fields) => Object.keys(fields).length <= 500, 'must declare at most 500 fields')
    .optional()
    .meta({
      description:
        'What fields hold, where that is not to be inferred. A value that does not read so stays as it is, matches no range and is counted in `schema_changes` of the sync',
    }),
  language: SearchLanguage.optional().meta({
    description: `What the records are written in, for search; without it, ${defaultSearchLanguage}. Changed by the next sync`,
  }),
}

/** How rows lie in what is read over the network. */
const documentLayout = {
  rows_path: text(1000, 0)
    .regex(/^(\/([^~/]|~[01])*)*$/, 'must be a JSON Pointer')
    .optional()
    .meta({ description: 'Where in a JSON document the array of rows lies (RFC 6901), such as `/data/items`' }),
  charset: text(40).optional().meta({ description: 'Where nothing else says so; UTF-8 by default' }),
}

export const UploadConfig = z.strictObject(fieldMapping).meta({ id: 'UploadConfig' })
export type UploadConfig = z.infer<typeof UploadConfig>

const formats = ['auto', 'csv', 'json', 'ndjson', 'html', 'text'] as const

const Paging = z
  .discriminatedUnion('type', [
    z
      .strictObject({ type: z.literal('link') })
      .meta({ description: 'The `Link` header with `rel="next"` (RFC 8288), on the same site' }),
    z
      .strictObject({
        type: z.literal('cursor'),
        path: text(1000)
          .regex(/^(\/([^~/]|~[01])*)+$/, 'must be a JSON Pointer')
          .meta({ description: 'Where the answer says the next cursor (JSON Pointer); absent, null or empty ends' }),
        parameter: text(200).meta({ description: 'The query parameter it is sent in' }),
      })
      .meta({ description: 'A cursor in the answer' }),
    z
      .strictObject({
        type: z.literal('page'),
        parameter: text(200).default('page'),
        first: z.number().int().min(0).max(1).default(1),
        size_parameter: text(200).optional(),
        size: z.number().int().min(1).max(10_000).optional(),
      })
      .meta({ description: 'A page number; a page without rows, or none (404), ends' }),
  ])
  .meta({ id: 'HttpPaging' })

export const HttpConfig = z
  .strictObject({
    ...fieldMapping,
    ...documentLayout,
    url: text(2048).meta({
      description:
        'What is read, at most 1 GiB at a time; also as gzip. With an integration it must lie under its `base_url`',
    }),
    format: z.enum(formats).default('auto').meta({ description: '`auto`: by the content type of the answer' }),
    headers: z
      .record(text(64), z.string().regex(/^[\x20-\x7e]{0,8192}$/, 'must be printable ASCII'))
      .default({})
      .meta({
        description:
          'Sent with every request, but not where a redirect leads elsewhere; not secret. Secrets belong into an integration',
      }),
    paging: Paging.optional(),
    since: z
      .strictObject({ field: fieldName, parameter: text(200) })
      .optional()
      .meta({
        description:
          'For incremental syncs: the greatest value of the field so far is sent in the query parameter, so that only newer rows come',
      }),
    overlap_seconds: z
      .number()
      .int()
      .min(0)
      .max(604_800)
      .default(0)
      .meta({ description: 'So much of what an incremental sync has read is read again, for rows that came late' }),
  })
  .meta({ id: 'HttpSourceConfig' })
export type HttpConfig = z.infer<typeof HttpConfig>

export const PostgresConfig = z
  .strictObject({
    ...fieldMapping,
    query: text(32_768).meta({ description: 'One SELECT; it is read in one snapshot, and can change nothing' }),
    cursor_field: fieldName.optional().meta({
      description:
        'For incremental syncs: a column of the result that grows, such as `updated_at`. Rows that have the last value, or a later one, are read; those without a value by the first sync and by full ones alone. Without it every sync reads all',
    }),
    overlap_seconds: z
      .number()
      .int()
      .min(0)
      .max(604_800)
      .default(0)
      .meta({ description: 'For a cursor that is a time: so much is read again, for rows that were committed late' }),
    statement_timeout_seconds: z.number().int().min(1).max(3600).default(300).meta({
      description: 'For the first rows, and again for each stretch of up to 1,000 rows after them',
    }),
  })
  .meta({ id: 'PostgresSourceConfig' })
export type PostgresConfig = z.infer<typeof PostgresConfig>

export const S3Config = z
  .strictObject({
    ...fieldMapping,
    ...documentLayout,
    prefix: text(1024, 0).default(''),
    pattern: text(1024).optional().meta({
      description:
        'Which objects, by their whole key: `*` stands for anything but `/`, `**` for anything, `?` for one character',
    }),
    format: z.enum(formats).default('auto').meta({ description: '`auto`: by the ending of the key' }),
  })
  .meta({ id: 'S3SourceConfig' })
export type S3Config = z.infer<typeof S3Config>

/** By provider. */
export const sourceConfigs = { upload: UploadConfig, http: HttpConfig, postgres: PostgresConfig, s3: S3Config } as const
export type SourceConfig = UploadConfig | HttpConfig | PostgresConfig | S3Config
