import { z } from 'zod'
import { endpoint } from '../core/endpoint.ts'
import { id } from '../core/id.ts'
import { listQuery, text } from '../core/shape.ts'

/** What a text can be searched as: it decides how words are stemmed and which are too common to look for. */
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
  description: '`simple` takes words as they are written, in any language',
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
      'A value, `{in: […]}`, bounds `{gt, gte, lt, lte}`, `{not: …}` (neither the value nor one of a list), or `{exists}` (null and the empty text are nothing)',
  })
export type FieldFilter = z.infer<typeof FieldFilter>

export const searchModes = ['lexical', 'semantic', 'hybrid'] as const
export type SearchMode = (typeof searchModes)[number]

const common = {
  mode: z.enum(searchModes).default('lexical'),
  language: SearchLanguage.optional().meta({ description: 'Of the query; without it, that of each source' }),
}

export const SearchRequest = z
  .strictObject({
    query: text(2000).meta({
      description:
        'Any of its words is looked for, the last also as a beginning. What stands in double quotes must be there word by word',
    }),
    data_source_ids: z.array(id('src')).min(1).max(100).optional(),
    filters: z
      .record(text(200), FieldFilter)
      .refine((filters) => Object.keys(filters).length <= 20, 'must name at most 20 fields')
      .optional()
      .meta({ description: 'By field of the data; all must hold' }),
    facets: z.array(text(200)).max(10).optional().meta({
      description: 'Fields whose most frequent values among the matches are counted',
    }),
    highlight: z.boolean().default(false).meta({
      description: 'Marks the words that were found in title and snippet by `<mark>`; both are then escaped HTML',
    }),
    min_score: z.number().min(0).optional(),
    limit: z.int().min(1).max(100).default(25),
    cursor: z.string().max(512).optional(),
    ...common,
  })
  .meta({ id: 'SearchRequest' })

const SearchHit = z
  .object({
    record_id: id('rec'),
    data_source_id: id('src'),
    title: z.string().nullable(),
    url: z.string().nullable(),
    snippet: z.string().nullable().meta({ description: 'The part of the text that says most of what was asked' }),
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
      .meta({ description: 'How many records have the words, where all were looked at; not in other modes' }),
    facets: z
      .record(
        z.string(),
        z.array(z.object({ value: z.union([z.string(), z.number(), z.boolean()]), count: z.number().int() })),
      )
      .optional()
      .meta({ description: 'The ten most frequent values of each field asked for' }),
  })
  .meta({ id: 'SearchMeta' })

const description = [
  'Hits are ordered by score. `lexical`: BM25 (k1 1.2, b 0.75) over the lexemes of title and text, where a word of the title counts as two; the 50 best count more for words in the very form that is asked for, and for words that stand together as in the query. Accents and case do not matter. Words that are not known are taken to be mistyped: what is spelled alike is searched too, and `meta.warnings` says so (`respelled`).',
  '`semantic`: the cosine of the query and the nearest part of a record, by embeddings of the oldest connected `openai_compatible` integration that names an `embedding_model`; without one it is refused. `hybrid`: both, by reciprocal rank fusion (k 60) of the best 1,000 of each, 10,000 where phrases, filters or facets are asked for; where nothing makes embeddings only words are searched, and `meta` says so. What is quoted must be there in every mode. Records are embedded soon after they were stored; `meta` says how many are not yet.',
  'A cursor leads at most 10,000 hits deep.',
].join('\n\n')

/** Finding records. */
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
      ...common,
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
