import { dataSearch, id, type SearchHit } from '@wp/contracts'
import type { InternalCalls } from '@wp/service'
import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { fitItems, shorten, shortenText } from '../limit-output.ts'
import type { RetrievedRecord } from '../tool.ts'
import { restrictSources } from './allowed-sources.ts'
import { Filters } from './filters.ts'

const [maxHits, defaultHits, maxTextLength, maxHitsBytes] = [20, 8, 600, 28_672]

const input = z.strictObject({
  query: z.string().min(1).max(2_000).optional().describe('Words to search for. Required unless there are filters'),
  data_source_ids: z.array(id('src')).max(100).optional().describe('Default: all'),
  filters: Filters.optional(),
  sort: z
    .string()
    .min(1)
    .max(201)
    .optional()
    .describe('Without a query: orders by this field, with a leading "-" descending. For the highest or lowest values'),
  facets: z
    .array(z.string().max(200))
    .max(10)
    .optional()
    .describe('Fields for which the most frequent values among the matches are counted'),
  limit: z.int().min(1).max(maxHits).default(defaultHits),
})

type Hit = z.input<typeof SearchHit>

export const searchData = (internal: InternalCalls) =>
  defineTool({
    name: 'search_data',
    description:
      'Searches the records of the workspace by words, by filters on their fields, or both. Returns the best records with their fields. Use it for questions about single facts. To count or to compute over all records use aggregate_records.',
    input,
    requiredScopes: ['data:read'],
    async run({ data_source_ids: requested, query, ...rest }, call) {
      const ids = restrictSources(call, requested)
      const { items, meta } = await internal.call(dataSearch.searchRecords, call.caller, {
        body: {
          ...rest,
          ...(query === undefined ? {} : { query, mode: 'hybrid' as const }),
          ...(ids === undefined ? {} : { data_source_ids: ids }),
          include: ['data'],
        },
      })
      const hits = fitItems(items.map(hitOutput), maxHitsBytes)
      return {
        output: {
          hits,
          ...(hits.length < items.length ? { omitted: items.length - hits.length } : {}),
          ...(meta.total === undefined ? {} : { total: meta.total }),
          ...(meta.facets === undefined ? {} : { facets: shorten(meta.facets, maxTextLength) }),
          ...(meta.warnings.length === 0 ? {} : { warnings: meta.warnings.map(({ message }) => message) }),
        },
        records: items.slice(0, hits.length).map(citableHit),
      }
    },
  })

const hitOutput = ({ record_id, data_source_id, key, title, url, snippet, data = {} }: Hit) => ({
  record_id,
  data_source_id,
  key,
  ...(title === null ? {} : { title: shortenText(title, maxTextLength) }),
  ...(url === null ? {} : { url }),
  ...(snippet === null ? {} : { snippet }),
  data: shorten(data, maxTextLength),
})

const citableHit = ({ record_id, data_source_id, key, title, url, snippet }: Hit): RetrievedRecord => ({
  record_id,
  data_source_id,
  key,
  title,
  url,
  snippet,
})
