import { type DataRecord, data, id } from '@wp/contracts'
import type { InternalCalls } from '@wp/service'
import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { fitItems, shorten, shortenText } from '../limit-output.ts'
import { type RetrievedRecord, ToolFailure } from '../tool.ts'
import { isAllowed, requireSource } from './allowed-sources.ts'

/** A record is at most 256 KiB long; its texts are shortened more than those of an upload. */
const maxReadLength = 16_000

const recordInput = z.strictObject({ record_id: id('rec') })

const maxSnippetLength = 300

const [maxRecords, defaultRecords, maxTextLength, maxRecordsBytes] = [25, 10, 600, 28_672]

const input = z.strictObject({
  data_source_id: id('src'),
  key: z.string().min(1).max(500).optional().describe('Only the record with this key'),
  limit: z.int().min(1).max(maxRecords).default(defaultRecords),
  cursor: z.string().max(512).optional().describe('next_cursor of the page before'),
})

export const listRecords = (internal: InternalCalls) =>
  defineTool({
    name: 'list_records',
    description: 'Lists the records of one data source, newest first, page by page. To find records use search_data.',
    input,
    requiredScopes: ['data:read'],
    async run({ data_source_id: sourceId, ...query }, call) {
      requireSource(call, sourceId)
      const { items, nextCursor } = await internal.call(data.listRecords, call.caller, {
        params: { data_source_id: sourceId },
        query,
      })
      const records = fitItems(
        items.map((record) => recordOutput(record, maxTextLength)),
        maxRecordsBytes,
      )
      return {
        output: {
          records,
          ...(records.length < items.length ? { omitted: items.length - records.length } : {}),
          next_cursor: nextCursor,
        },
        records: items.slice(0, records.length).map(citableRecord),
      }
    },
  })

type RecordView = z.output<typeof DataRecord>

/** Returns a record as a model sees it. @param maxLength of each text */
export const recordOutput = ({ record_id, data_source_id, key, title, url, data }: RecordView, maxLength: number) => ({
  record_id,
  data_source_id,
  key,
  ...(title === null ? {} : { title: shortenText(title, maxLength) }),
  ...(url === null ? {} : { url }),
  data: shorten(data, maxLength),
})

/** Returns a record as an answer cites it. */
export const citableRecord = ({ record_id, data_source_id, key, title, url, data }: RecordView): RetrievedRecord => ({
  record_id,
  data_source_id,
  key,
  title,
  url,
  snippet: snippetOf(data),
})

/** Returns the beginning of the fields as text. */
const snippetOf = (data: Record<string, unknown>): string =>
  shortenText(
    Object.entries(data)
      .filter(([, value]) => value !== null && value !== '')
      .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
      .join('; '),
    maxSnippetLength,
  )

export const readRecord = (internal: InternalCalls) =>
  defineTool({
    name: 'read_record',
    description: 'Reads one record with all its fields. Use it when the snippet of a hit is not enough.',
    input: recordInput,
    requiredScopes: ['data:read'],
    async run(params, call) {
      const record = await internal.call(data.getRecord, call.caller, { params })
      if (!isAllowed(call, record.data_source_id))
        throw new ToolFailure(`${params.record_id} is not a record of the data sources of this run`)
      return { output: recordOutput(record, maxReadLength), records: [citableRecord(record)] }
    },
  })
