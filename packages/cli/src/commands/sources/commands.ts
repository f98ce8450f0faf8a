import { buildCommand, buildRouteMap } from '@stricli/core'
import { onePositional, switchFlag, textFlag } from '../../flag-types.ts'
import { listFlags, outputFlags } from '../../output/flags.ts'
import { resourceCommand } from '../resources/commands.ts'

const sourceId = { parse: String, placeholder: 'source-id', brief: 'Id of the data source' } as const

const list = buildCommand({
  loader: async () => (await import('./sources.ts')).listSources,
  parameters: { flags: listFlags },
  docs: { brief: 'List data sources' },
})

const create = buildCommand({
  loader: async () => (await import('./sources.ts')).createSource,
  parameters: {
    flags: {
      key: textFlag('field', 'Field that identifies a record (default: a hash of the row)'),
      title: textFlag('field', 'Field with the title of a record'),
      text: textFlag('field', 'Field with the text of a record'),
      ...outputFlags,
    },
    positional: onePositional('name', 'Name of the data source'),
  },
  docs: { brief: 'Create a data source for uploads' },
})

const upload = buildCommand({
  loader: async () => (await import('./upload.ts')).uploadFile,
  parameters: {
    flags: {
      type: textFlag('media-type', 'Content type, if the name of the file does not tell it'),
      full: switchFlag('Delete records that the file does not contain'),
      allowDeletions: switchFlag('With --full: delete any share of the records'),
      ...outputFlags,
    },
    positional: {
      kind: 'tuple',
      parameters: [
        sourceId,
        {
          parse: String,
          placeholder: 'file',
          brief: 'CSV, XLSX, Parquet, NDJSON, JSON, text, Markdown or HTML; - for standard input',
        },
      ],
    },
  },
  docs: {
    brief: 'Upload a file and list the rows that were rejected',
    fullDescription:
      'Rows are stored as they are read, and are idempotent by key: after an interruption, run the command again.',
  },
})

const sync = buildCommand({
  loader: async () => (await import('./sources.ts')).syncSource,
  parameters: {
    flags: {
      mode: textFlag('mode', 'full or incremental (default: that of the source)'),
      allowDeletions: switchFlag('Delete any share of the records'),
      wait: switchFlag('Wait for the end of the sync'),
      ...outputFlags,
    },
    positional: { kind: 'tuple', parameters: [sourceId] },
  },
  docs: { brief: 'Start a sync' },
})

export const sources = buildRouteMap({
  routes: {
    list,
    get: resourceCommand('get', 'data.getSource'),
    create,
    upload,
    sync,
    delete: resourceCommand('delete', 'data.deleteSource'),
  },
  docs: { brief: 'Data sources' },
})
