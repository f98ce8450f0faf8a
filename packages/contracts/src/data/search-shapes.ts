import { z } from 'zod'
import { boundedArray } from '../core/shape/bounded.ts'
import { id } from '../core/shape/id.ts'
import { listQuery, text } from '../core/shape/shape.ts'
import { rowData } from './record-shapes.ts'
import { maxFieldNameLength, SearchFilters } from './search-filter.ts'

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

/** Limits of a search request. The cursor of a first page names its hits. */
const [maxQueryLength, maxFacets, maxSources, maxCursorLength] = [2_000, 10, 100, 2_048]

export const searchModes = ['lexical', 'semantic', 'hybrid'] as const
export type SearchMode = (typeof searchModes)[number]

const queryText = text(maxQueryLength).optional()
const includable = z.enum(['data'])

const commonParameters = {
  query: queryText.describe(
    'Matches any of its words, and the last one also as a prefix. A phrase in double quotes must match exactly, stop words included',
  ),
  q: queryText.meta({ description: 'The same as `query`; a request has one of them', examples: ['quiet library'] }),
  mode: z.enum(searchModes).default('lexical').describe('`lexical` finds words, `semantic` meaning, `hybrid` both'),
  language: SearchLanguage.optional().describe('Language of the query; default: that of each source'),
}

type Given = { query?: string | undefined; q?: string | undefined }
type Refinement = z.core.$RefinementCtx

const addIssue = (context: Refinement, name: string, message: string) =>
  context.addIssue({ code: 'custom', path: [name], message })

function checkQueryNames({ query, q }: Given, context: Refinement): void {
  if (query !== undefined && q !== undefined)
    addIssue(context, 'q', 'must not be given beside `query`, which means the same')
}

/** The query of `GET /v1/data/search`. */
export const SearchQuery = listQuery({
  cursor: z.string().max(maxCursorLength).optional(),
  data_source_id: id('src').optional(),
  highlight: z
    .stringbool({ truthy: ['true'], falsy: ['false'] })
    .default(false)
    .describe('Marks matching words in title and snippet with `<mark>`; both are then escaped HTML'),
  min_score: z.coerce.number<number>().min(0).optional().describe('Only hits with at least this score'),
  include: includable.optional().describe('`data`: each hit has the fields of its record'),
  ...commonParameters,
}).superRefine((query, context) => {
  checkQueryNames(query, context)
  if (query.query === undefined && query.q === undefined) addIssue(context, 'q', 'is required')
})

/** The body of `POST /v1/data/search`. */
export const SearchRequest = z
  .strictObject({
    data_source_ids: boundedArray(id('src'), maxSources, { min: 1 })
      .optional()
      .describe('Data sources to search; default: all that the caller may read'),
    filters: SearchFilters.optional(),
    facets: boundedArray(text(maxFieldNameLength), maxFacets)
      .optional()
      .describe('Fields for which the most frequent values among the matches are counted'),
    sort: text(maxFieldNameLength + 1)
      .optional()
      .meta({
        description:
          'Orders the records of a search without a query by this field; with a leading `-` descending. Default: newest first',
        examples: ['-fte'],
      }),
    include: boundedArray(includable, 1).optional().describe('`data`: each hit has the fields of its record'),
    highlight: z
      .boolean()
      .default(false)
      .describe('Marks matching words in title and snippet with `<mark>`; both are then escaped HTML'),
    min_score: z.number().min(0).optional().describe('Only hits with at least this score'),
    limit: z.int().min(1).max(100).default(25).describe('Most hits of a page'),
    cursor: z.string().max(maxCursorLength).optional().describe('`next_cursor` of the previous page'),
    ...commonParameters,
  })
  .superRefine((request, context) => {
    checkQueryNames(request, context)
    if (request.query !== undefined || request.q !== undefined) {
      if (request.sort !== undefined)
        addIssue(context, 'sort', 'must be omitted with a `query`: its hits are ordered by score')
      return
    }
    if (request.filters === undefined) addIssue(context, 'query', 'is required without `filters`')
    if (request.mode !== 'lexical') addIssue(context, 'mode', 'requires a `query`')
    if (request.min_score !== undefined) addIssue(context, 'min_score', 'requires a `query`')
  })
  .meta({ id: 'SearchRequest' })

export const SearchHit = z
  .object({
    record_id: id('rec'),
    data_source_id: id('src'),
    key: z.string().describe('Key of the record in its source'),
    title: z.string().nullable().describe('Title of the record; null if it has none'),
    url: z.string().nullable().describe('Address of the original; null if it has none'),
    snippet: z.string().nullable().describe('The part of the text that matches the query best'),
    score: z.number().describe('0 in a search without a query'),
    data: rowData().optional().describe('The fields of the record, with `include`'),
  })
  .meta({ id: 'SearchHit' })

export const SearchMeta = z
  .object({
    mode_used: z
      .enum(searchModes)
      .describe('The mode of the search; `lexical` if the requested one was not available (see `warnings`)'),
    warnings: z
      .array(
        z.object({
          code: z.string().describe('Stable, such as `embeddings_unavailable` or `unknown_field`'),
          message: z.string().describe('The same in words'),
        }),
      )
      .describe('What the search left out or did in another way'),
    total: z
      .number()
      .int()
      .optional()
      .describe('Number of matching records, if all were evaluated; lexical mode and searches without a query only'),
    facets: z
      .record(
        z.string(),
        z.array(
          z.object({
            value: z.union([z.string(), z.number(), z.boolean()]).describe('A value of the field'),
            count: z.number().int().describe('Number of matching records with it'),
          }),
        ),
      )
      .optional()
      .describe('The ten most frequent values of each requested field'),
  })
  .meta({ id: 'SearchMeta' })
