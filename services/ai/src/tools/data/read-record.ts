import { data, id } from '@wp/contracts'
import type { InternalCalls } from '@wp/service'
import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { ToolFailure } from '../tool.ts'
import { isAllowed } from './allowed-sources.ts'
import { citableRecord, recordOutput } from './record-output.ts'

/** A record is at most 256 KiB long; its texts are shortened more than those of an upload. */
const maxTextLength = 16_000

const input = z.strictObject({ record_id: id('rec') })

export const readRecord = (internal: InternalCalls) =>
  defineTool({
    name: 'read_record',
    description: 'Reads one record with all its fields. Use it when the snippet of a hit is not enough.',
    input,
    requiredScopes: ['data:read'],
    async run(params, call) {
      const record = await internal.call(data.getRecord, call.caller, { params })
      if (!isAllowed(call, record.data_source_id))
        throw new ToolFailure(`${params.record_id} is not a record of the data sources of this run`)
      return { output: recordOutput(record, maxTextLength), records: [citableRecord(record)] }
    },
  })
