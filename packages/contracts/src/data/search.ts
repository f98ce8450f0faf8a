import { z } from 'zod'
import { boundedArray, boundedRecord } from '../core/bounded.ts'
import { endpoint } from '../core/endpoint.ts'
import { id } from '../core/id.ts'
import { listQuery, text } from '../core/shape.ts'
import { dataEmbedding } from './embedding.ts'

/** Languages of the full-text index. The language determines stemming and stop words. */
export const searchLanguages = [
  'simple',
  'arabic',
  'armenian',
  'basque',
  'catalan',
  'danish',
  'dutch',
  'english',
  'finnish',
  'french',
  'german',
  'greek',
  'hindi',
  'hungarian',
  'indonesian',
  'irish',
  'italian',
  'lithuanian',
  'nepali',
  'norwegian',
  'portuguese',
  'romanian',
  'russian',
  'serbian',
  'spanish',
  'swedish',
  'tamil',
  'turkish',
  'yiddish',
] as const
export type SearchLanguage = (typeof searchLanguages)[number]
export const SearchLanguage = z.enum(searchLanguages).meta({
  id: 'SearchLanguage',
  description: '`simple` indexes words unchanged, for any language',
})
export const defaultSearchLanguage: SearchLanguage = 'english'

const Scalar = z.union([text(1000, 0), z.number(), z.boolean()])
/** Limits of a search request. */
const [maxFilters, maxFilterValues, maxFacets, maxSources] = [20, 100, 10, 100]

const Scalars = z.array(Scalar).min(1).max(maxFilterValues)
const Bound = z.union([text(1000), z.number()])

const AnyFieldFilter = z
  .union([
    Scalar,
    z.strictObject({ in: Scalars }),
    z.strictObject({ not: z.union([Scalar, Scalars]) }),
    z.strictObject({ exists: z.boolean() }),
    z
      .strictObject({ gt: Bound.optional(), gte: Bound.optional(), lt: Bound.optional(), lte: Bound.optional() })
      .refine((bounds) => Object.keys(bounds).length > 0, 'must have a bound'),
  ])
  .meta({
    id: 'SearchFilter',
    description:
      'A value, `{in: […]}`, bounds `{gt, gte, lt, lte}`, `{not: …}` (neither the value nor any of a list), or `{exists}` (null and empty text do not exist)',
  })
export type FieldFilter = z.infer<typeof AnyFieldFilter>

/** Counts the values before the members of the union validate each of them. */
const FieldFilter = z.preprocess((filter, context) => {
  if (typeof filter === 'object' && filter !== null)
    for (const name of ['in', 'not']) {
      const values: unknown = Reflect.get(filter, name)
      if (!Array.isArray(values) || values.length <= maxFilterValues) continue
      context.addIssue({ code: 'custom', path: [name], message: `must have at most ${maxFilterValues} elements` })
    }
  return filter
}, AnyFieldFilter) as unknown as typeof AnyFieldFilter // passes everything else on unchanged

export const searchModes = ['lexical', 'semantic', 'hybrid'] as const
export type SearchMode = (typeof searchModes)[number]

const commonParameters = {
  mode: z.enum(searchModes).default('lexical'),
  language: SearchLanguage.optional().meta({ description: 'Language of the query; default: that of each source' }),
}

export const SearchRequest = z
  .strictObject({
    query: text(2000).meta({
      description:
        'Matches any of its words, and the last one also as a prefix. A phrase in double quotes must match exactly',
    }),
    data_source_ids: boundedArray(id('src'), maxSources, { min: 1 }).optional(),
    filters: boundedRecord(text(200), FieldFilter, maxFilters)
      .optional()
      .meta({ description: 'Filters by field of the data; all must match' }),
    facets: boundedArray(text(200), maxFacets).optional().meta({
      description: 'Fields for which the most frequent values among the matches are counted',
    }),
    highlight: z.boolean().default(false).meta({
      description: 'Marks matching words in title and snippet with `<mark>`; both are then escaped HTML',
    }),
    min_score: z.number().min(0).optional(),
    limit: z.int().min(1).max(100).default(25),
    cursor: z.string().max(512).optional(),
    ...commonParameters,
  })
  .meta({ id: 'SearchRequest' })

const SearchHit = z
  .object({
    record_id: id('rec'),
    data_source_id: id('src'),
    title: z.string().nullable(),
    url: z.string().nullable(),
    snippet: z.string().nullable().meta({ description: 'The part of the text that matches the query best' }),
    score: z.number(),
  })
  .meta({ id: 'SearchHit' })

export const SearchMeta = z
  .object({
    mode_used: z.enum(searchModes),
    warnings: z.array(z.object({ code: z.string(), message: z.string() })),
    total: z
      .number()
      .int()
      .optional()
      .meta({ description: 'Number of matching records, if all were evaluated; lexical mode only' }),
    facets: z
      .record(
        z.string(),
        z.array(z.object({ value: z.union([z.string(), z.number(), z.boolean()]), count: z.number().int() })),
      )
      .optional()
      .meta({ description: 'The ten most frequent values of each requested field' }),
  })
  .meta({ id: 'SearchMeta' })

const description = [
  'Hits are ordered by score. `lexical`: BM25 (k1 1.2, b 0.75) over the lexemes of title and text, where a word of the title counts twice; the best 50 hits get a bonus for exact word forms and for words that are adjacent as in the query. Accents and case are ignored. Unknown words are treated as misspelled: words with a similar spelling are searched too, and `meta.warnings` says so (`respelled`).',
  '`semantic`: the cosine similarity of the query and the nearest part of a record, by the embeddings that `PATCH /v1/data/embedding` has chosen, of the data sources with `embed`; an error without a choice. `hybrid`: both, by reciprocal rank fusion (k 60) of the best 1,000 hits of each, or 10,000 with phrases, filters or facets; without embeddings the search is lexical, and `meta` says so. Quoted phrases must match in every mode. Records are embedded shortly after they are stored; `meta` states how many are not embedded yet.',
  'A cursor reaches at most 10,000 hits. A search ends after 5 seconds with `search_timeout`, and when its client disconnects. Of one workspace a few searches run at once; others wait for their turn within these 5 seconds.',
  'Limits: 2,000 characters and 10 quoted phrases a query; of an array in the data, filters and facets read the first 1,000 members. Of a query without a match 3 words are respelled, and 128 different words are searched (`words_ignored`).',
].join('\n\n')

const searchErrors = [
  'unknown_reference',
  'invalid_cursor',
  'embeddings_not_connected',
  'embeddings_unavailable',
  'search_timeout',
] as const

/** Search of records, and the embeddings it uses. */
export const dataSearch = {
  ...dataEmbedding,
  search: endpoint({
    id: 'data.search',
    method: 'GET',
    path: '/v1/data/search',
    summary: 'Search records',
    description,
    scope: 'data:read',
    cancellable: true,
    query: listQuery({
      q: text(2000),
      data_source_id: id('src').optional(),
      highlight: z
        .enum(['true', 'false'])
        .default('false')
        .transform((value) => value === 'true'),
      min_score: z.coerce.number().min(0).optional(),
      ...commonParameters,
    }),
    list: SearchHit,
    meta: SearchMeta,
    errors: searchErrors,
  }),
  searchRecords: endpoint({
    id: 'data.searchRecords',
    method: 'POST',
    path: '/v1/data/search',
    summary: 'Search records, with filters and facets',
    description,
    scope: 'data:read',
    cancellable: true,
    body: SearchRequest,
    list: SearchHit,
    meta: SearchMeta,
    errors: searchErrors,
  }),
}
