import { z } from 'zod'
import { declareEndpoints } from '../core/endpoint/endpoint.ts'
import { id } from '../core/shape/id.ts'
import { jobStates, listQuery, metadataFilter, searchFilter, text } from '../core/shape/shape.ts'
import { maxPreviewBytes, Preview, previewQuery } from './preview-shapes.ts'
import {
  DataRecord,
  maxDeletedRecords,
  maxExaminedRecords,
  RecordDeletion,
  RecordDeletionResult,
  UploadResult,
} from './record-shapes.ts'
import { sourceProviders } from './source-config.ts'
import { NewSource, Source, SourcePatch, sourcePath } from './source-shapes.ts'
import { Sync, SyncRequest, syncModes, syncPath } from './sync-shapes.ts'

/** Content types of files that rows are read from. The bytes of a file decide what it is, not its type. */
const rowFileTypes = [
  ...['application/json', 'application/x-ndjson', 'text/csv', 'text/tab-separated-values'],
  ...['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'application/vnd.apache.parquet'],
  'text/calendar',
  ...['application/gzip', 'application/x-gzip', 'application/zip', 'application/octet-stream'],
]

const erasure =
  'Erases the data at once: the row, its words in the search index, and its embeddings. Backups keep it until they expire.'

/** Data sources, their syncs and records. */
export const data = declareEndpoints('data', {
  health: {
    method: 'GET',
    path: '/v1/data/health',
    summary: 'Read the health of the data service',
    description: 'Reports whether the service reaches its database and the broker. No credential is needed.',
    credentials: 'none',
    limitClass: 'metadata',
    ok: z.object({
      status: z
        .enum(['ok', 'degraded'])
        .describe('`ok`, or `degraded` if the database or the broker cannot be reached'),
    }),
  },
  listSources: {
    method: 'GET',
    path: '/v1/data/sources',
    summary: 'List data sources',
    description:
      'Lists the sources of the workspace, newest first, each with its status, the number of its records and its last sync.',
    scope: 'data:read',
    callers: ['ai'],
    tool: { name: 'list_data_sources', hints: { readOnly: true } },
    query: listQuery({
      name: text(200).optional(),
      search: searchFilter('the name'),
      provider: z.enum(sourceProviders).optional(),
      status: z.enum(['active', 'paused', 'error']).optional(),
      integration_id: id('int').optional(),
      external_id: text(200).optional(),
      metadata: metadataFilter(),
    }),
    list: Source,
  },
  createSource: {
    method: 'POST',
    path: '/v1/data/sources',
    summary: 'Create a data source',
    description: 'A source with an `integration_id` requires the scope `integrations:read` too.',
    scope: 'data:write',
    body: NewSource,
    created: Source,
    location: '/v1/data/sources/{data_source_id}',
    errors: ['unknown_reference', 'quota_exceeded'],
    audit: { action: 'data_source.created', target: 'data_source', field: 'data_source_id' },
  },
  getSource: {
    method: 'GET',
    path: '/v1/data/sources/{data_source_id}',
    summary: 'Read a data source',
    description:
      'Returns the configuration, the schedule, the inferred fields, and the result of the last sync. Secrets of the provider are in its integration, not here.',
    scope: 'data:read',
    tool: { name: 'get_data_source', hints: { readOnly: true } },
    callers: ['solutions', 'ai'],
    params: sourcePath,
    ok: Source,
  },
  updateSource: {
    method: 'PATCH',
    path: '/v1/data/sources/{data_source_id}',
    summary: 'Change a data source',
    description:
      'After a change of what is read (the integration, or a field of the config such as `url`, `query`, `prefix` or `cursor_field`) the next sync reads from the beginning, so that nothing is skipped. The provider cannot be changed. Setting `integration_id`, or changing what is requested through it, such as `url`, `query`, `prefix` or `headers`, requires the scope `integrations:read` too; the mapping of fields does not. `config.pseudonymize` and `config.drop` can be changed only while the source has no records (`conflict`).',
    scope: 'data:write',
    params: sourcePath,
    body: SourcePatch,
    ok: Source,
    errors: ['unknown_reference', 'conflict', 'owner_required'],
    audit: { action: 'data_source.updated', target: 'data_source', field: 'data_source_id' },
  },
  deleteSource: {
    method: 'DELETE',
    path: '/v1/data/sources/{data_source_id}',
    summary: 'Delete a data source and its records',
    description: 'Deletes the records and the search index too, and cancels a sync that runs. It cannot be undone.',
    scope: 'data:write',
    params: sourcePath,
    deleted: 'data_source_id',
    audit: { action: 'data_source.deleted', target: 'data_source', field: 'data_source_id' },
  },
  uploadRecords: {
    method: 'POST',
    path: '/v1/data/sources/{data_source_id}/records',
    summary: 'Upload records to an upload source, as CSV, NDJSON, JSON or a document',
    description: [
      'Accepts CSV (RFC 4180, with a header row; separated by comma, semicolon or tab), newline-delimited JSON, or a JSON array of objects, in UTF-8 or the charset of the content type.',
      'A text, Markdown or HTML document becomes one record with `title`, `text` and `url` (in the fields named by the config), and `headings` for HTML; scripts, styles, navigation and hidden content are removed. The title is the `title` parameter, or else the title of the page or the first heading of Markdown. The key is the `key` parameter, or else a hash of the content: send a key, so that a changed document replaces its previous version. A document with more than 256 KiB of text is rejected; upload it in parts.',
      'Rows are stored in batches as they are received and are idempotent by key, so an interrupted upload is resumed by sending it again. Of several rows with the same key the last one is kept. A row whose fields all have the same text as before is unchanged, in any format and order of columns; null, the empty text and a missing field are the same.',
      'With `mode=full` the body is everything the source has: records that it does not contain are deleted, after all of it was read and stored. Nothing is deleted if it cannot be read to its end, or if it has an invalid row whose key is unknown (`warnings`). With `mode=period` it is everything of its period, from the first to the last of its times: whole days if they are dates, else exactly. The column is the one that is named as the time or start of the rows, and `period_replaced` in `warnings` names it; a file in which none or several may be it is refused. Nothing is deleted if some of its rows have an offset from UTC and others none, or if its dates seem wrong: it would delete more than twice as many records as it has rows, or more than a tenth as many of days that it does not have.',
      'With `Idempotency-Key` the result is stored with the hash of the body, after the last row is stored. The same body later gets the same response, and stores nothing; it is read for its hash. An upload that failed is not stored: send it again.',
      'An invalid row (malformed, without a key, larger than 256 KiB) is counted and listed, and does not affect other rows.',
      'Numbers are stored as numbers and times as RFC 3339, a local time without an offset; all other values are stored as sent. A number that a double cannot represent exactly is stored as a string. Without a key field each row is a record of its own, equal ones too; the same rows again change nothing.',
      'For more than 32 MiB, or with `Prefer: respond-async`, the response is 202 with a sync, after everything has been stored; 200 if as many syncs are queued as the quota allows.',
      'An upload that exceeds the quota of records, stored bytes or uploaded bytes a day ends with `quota_exceeded`; the batches stored before remain.',
    ].join('\n\n'),
    scope: 'data:write',
    params: sourcePath,
    query: z.strictObject({
      mode: z
        .enum([...syncModes, 'period'])
        .default('incremental')
        .describe(
          '`full` deletes records that the body does not contain; `period` those from its first to its last time',
        ),
      allow_deletions: z
        .stringbool()
        .default(false)
        .describe(
          'Lets an upload delete any share of the records, also if the file has no rows or other fields than before',
        ),
      key: text(500).optional().describe('Key of a document'),
      title: text(1000).optional().describe('Title of a document'),
      url: text(2048).optional().describe('URL of a document'),
    }),
    input: 'stream',
    documentedBody: z
      .union([z.array(z.record(z.string(), z.unknown())), z.record(z.string(), z.unknown())])
      .describe('The records: an array of objects, or one object'),
    // Generators of clients type a body by its first content type.
    contentTypes: [...rowFileTypes, 'text/plain', 'text/markdown', 'text/html'],
    ok: UploadResult,
    accepted: Sync,
    location: '/v1/data/syncs/{id}',
    limitClass: 'upload',
    errors: ['conflict', 'quota_exceeded', 'ambiguous_format', 'unexpected_format', 'too_many_deletions'],
    audit: { action: 'data_source.records_uploaded', target: 'data_source', field: 'data_source_id' },
  },
  preview: {
    method: 'POST',
    path: '/v1/data/preview',
    summary: 'Preview how a file will be read',
    description: [
      `Reads a file, or its beginning (at most ${maxPreviewBytes / 1_048_576} MiB), as an upload would, and stores nothing: CSV with any delimiter, XLSX, Parquet, NDJSON, JSON, each also in gzip or zip. The bytes decide what it is, whatever its name and content type are.`,
      'Returns the format, the columns with their types, the first rows as they will be stored, the rows that cannot be read, and suggestions for a forecast. What cannot be decided by the values is `ambiguous_format`, with both readings of three rows; send `format` to decide it.',
      'With `data_source_id` the file is read with the format of that source. Without a body, the beginning of what is at the address of the source is read; if the source uses an integration, that requires the scope `integrations:read` too. Columns that the source pseudonymizes or drops are shown as they would be stored.',
      'Columns that seem to be about persons are `suggestions.personal`.',
    ].join('\n\n'),
    scope: 'data:write',
    query: previewQuery,
    input: 'stream',
    documentedBody: z.string().meta({ format: 'binary' }),
    contentTypes: ['application/octet-stream', ...rowFileTypes.filter((type) => type !== 'application/octet-stream')],
    ok: Preview,
    limitClass: 'upload',
    errors: ['ambiguous_format', 'unexpected_format', 'unknown_reference', 'records_restricted'],
  },
  startSync: {
    method: 'POST',
    path: '/v1/data/sources/{data_source_id}/sync/start',
    summary: 'Start a sync',
    description:
      'For an upload source, processes every record again: infers the schema and applies the config. Any other source is read in the given `mode`, by default that of the source.',
    scope: 'data:write',
    params: sourcePath,
    body: SyncRequest,
    accepted: Sync,
    location: '/v1/data/syncs/{id}',
    errors: ['sync_running', 'conflict', 'quota_exceeded'],
    tool: { name: 'start_sync', polledWith: 'get_sync' },
    audit: { action: 'sync.started', target: 'sync', field: 'id' },
  },
  listSyncs: {
    method: 'GET',
    path: '/v1/data/sources/{data_source_id}/syncs',
    summary: 'List the syncs of a data source',
    description: 'Lists the syncs of one source, newest first, with their counts and the reason of a failure.',
    scope: 'data:read',
    params: sourcePath,
    query: listQuery({ status: z.enum(jobStates).optional() }),
    list: Sync,
    tool: { name: 'list_syncs', hints: { readOnly: true } },
  },
  getSync: {
    method: 'GET',
    path: '/v1/data/syncs/{id}',
    summary: 'Read a sync',
    description:
      'Poll it until `status` is `finished`, `failed` or `cancelled`. Rejected rows are counted in `counts.failed`, and the first 100 are listed with the reason.',
    scope: 'data:read',
    params: syncPath,
    ok: Sync,
    tool: { name: 'get_sync', hints: { readOnly: true } },
  },
  cancelSync: {
    method: 'POST',
    path: '/v1/data/syncs/{id}/cancel',
    summary: 'Cancel a queued or running sync',
    description: 'Records that were stored before remain. A sync that has ended cannot be cancelled.',
    scope: 'data:write',
    params: syncPath,
    ok: Sync,
    errors: ['conflict'],
    audit: { action: 'sync.cancelled', target: 'sync', field: 'id' },
  },
  listRecords: {
    method: 'GET',
    path: '/v1/data/sources/{data_source_id}/records',
    summary: 'List the records of a data source',
    description:
      'Lists the records of one source, newest first, with all their fields. To find records by content, search.',
    scope: 'data:read',
    callers: ['ai'],
    tool: { name: 'list_records', hints: { readOnly: true } },
    params: sourcePath,
    query: listQuery({ key: text(500).optional() }),
    list: DataRecord,
    errors: ['records_restricted'],
  },
  getRecord: {
    method: 'GET',
    path: '/v1/data/records/{record_id}',
    summary: 'Read a record',
    description: 'Returns all fields of one record, with its key and the data source it belongs to.',
    scope: 'data:read',
    callers: ['ai'],
    tool: { name: 'get_record', hints: { readOnly: true } },
    params: z.object({ record_id: id('rec') }),
    ok: DataRecord,
    errors: ['records_restricted'],
  },
  deleteRecord: {
    method: 'DELETE',
    path: '/v1/data/records/{record_id}',
    summary: 'Delete a record',
    description: `${erasure} A sync that reads its row again creates it again.`,
    scope: 'data:write',
    params: z.object({ record_id: id('rec') }),
    deleted: 'record_id',
    audit: { action: 'record.deleted', target: 'record', field: 'record_id' },
  },
  deleteRecords: {
    method: 'POST',
    path: '/v1/data/sources/{data_source_id}/records/delete',
    summary: 'Delete records of a data source by key or by a filter',
    description: [
      `${erasure} A sync that reads their rows again creates them again.`,
      `One request deletes at most ${maxDeletedRecords} records, all or none. With a filter it examines at most ${maxExaminedRecords} records, oldest first; while the response has a \`next_cursor\`, send the request again with it. A field that no record of the source has is rejected. A source with \`record_access: "aggregates"\` takes keys only, because a filter would tell what records contain.`,
    ].join('\n\n'),
    scope: 'data:write',
    params: sourcePath,
    body: RecordDeletion,
    ok: RecordDeletionResult,
    errors: ['invalid_cursor', 'records_restricted'],
    audit: { action: 'data_source.records_deleted', target: 'data_source', field: 'data_source_id' },
  },
})
