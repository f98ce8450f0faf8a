import { data, type Source } from '@wp/contracts'
import type { InternalCalls } from '@wp/service'
import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { fitItems } from '../limit-output.ts'
import type { ToolCall } from '../tool.ts'
import { isAllowed } from './allowed-sources.ts'

const [pageSize, maxPages, maxListedFields, maxFieldsOfNamed, maxSourcesBytes] = [100, 10, 60, 500, 28_672]

const input = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Only the data sources with this name, with up to 500 fields. Use it for a source with omitted_fields'),
})

type SourceView = z.input<typeof Source>

export const listSources = (internal: InternalCalls) =>
  defineTool({
    name: 'list_sources',
    description:
      'Lists the data sources of the workspace with their fields, types and numbers of records. Call it first when the question is about numbers, or when you do not know the fields.',
    input,
    requiredScopes: ['data:read'],
    async run({ name }, call) {
      const all = await readSources(internal, call, name)
      const sources = fitItems(
        all.map((source) => sourceOutput(source, name === undefined ? maxListedFields : maxFieldsOfNamed)),
        maxSourcesBytes,
      )
      return { output: { sources, ...(sources.length < all.length ? { omitted: all.length - sources.length } : {}) } }
    },
  })

async function readSources(internal: InternalCalls, call: ToolCall, name: string | undefined): Promise<SourceView[]> {
  const sources: SourceView[] = []
  let cursor: string | null | undefined
  for (let page = 0; page < maxPages && cursor !== null; page++) {
    call.signal.throwIfAborted()
    const query = {
      limit: pageSize,
      ...(name === undefined ? {} : { name }),
      ...(cursor === undefined ? {} : { cursor }),
    }
    const { items, nextCursor } = await internal.call(data.listSources, call.caller, { query })
    sources.push(...items.filter(({ data_source_id: id }) => isAllowed(call, id)))
    cursor = nextCursor
  }
  return sources
}

const sourceOutput = (
  { data_source_id, name, status, record_count, last_synced_at, schema }: SourceView,
  maxFields: number,
) => ({
  data_source_id,
  name,
  status,
  record_count,
  last_synced_at,
  fields: schema.slice(0, maxFields).map(({ name: field, type }) => ({ name: field, type })),
  ...(schema.length > maxFields ? { omitted_fields: schema.length - maxFields } : {}),
})
