import { data, id } from '@wp/contracts'
import type { InternalCalls } from '@wp/service'
import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { fitItems } from '../limit-output.ts'
import { requireSource } from './allowed-sources.ts'
import { citableRecord, recordOutput } from './record-output.ts'

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
