import { z } from 'zod'
import { endpoint } from '../core/endpoint.ts'
import { id } from '../core/id.ts'
import { listQuery, text } from '../core/shape.ts'

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
const Bound = z.union([text(1000), z.number()])

const FieldFilter = z
  .union([
    Scalar,
    z.strictObject({ in: z.array(Scalar).min(1).max(100) }),
    z.strictObject({ not: z.union([Scalar, z.array(Scalar).min(1).max(100)]) }),
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
export type FieldFilter = z.infer<typeof FieldFilter>

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
    data_source_ids: z.array(id('src')).min(1).max(100).optional(),
    filters: z
      .record(text(200), FieldFilter)
      .refine((filters) => Object.keys(filters).length <= 20, 'must name at most 20 fields')
      .optional()
      .meta({ description: 'Filters by field of the data; all must match' }),
    facets: z.array(text(200)).max(10).optional().meta({
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
  '`semantic`: the cosine similarity of the query and the nearest part of a record, by embeddings of the oldest connected `openai_compatible` integration that has an `embedding_model`; an error without one. `hybrid`: both, by reciprocal rank fusion (k 60) of the best 1,000 hits of each, or 10,000 with phrases, filters or facets; without embeddings the search is lexical, and `meta` says so. Quoted phrases must match in every mode. Records are embedded shortly after they are stored; `meta` states how many are not embedded yet.',
  'A cursor reaches at most 10,000 hits.',
].join('\n\n')

/** Search of records. */
export const dataSearch = {
  search: endpoint({
    id: 'data.search',
    method: 'GET',
    path: '/v1/data/search',
    summary: 'Search records',
    description,
    scope: 'data:read',
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
    errors: ['unknown_reference', 'invalid_cursor', 'embeddings_not_connected', 'embeddings_unavailable'],
  }),
  searchRecords: endpoint({
    id: 'data.searchRecords',
    method: 'POST',
    path: '/v1/data/search',
    summary: 'Search records, with filters and facets',
    description,
    scope: 'data:read',
    body: SearchRequest,
    list: SearchHit,
    meta: SearchMeta,
    errors: ['unknown_reference', 'invalid_cursor', 'embeddings_not_connected', 'embeddings_unavailable'],
  }),
}
