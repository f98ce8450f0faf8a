import { declareEndpoints } from '../core/endpoint/endpoint.ts'
import { dataEmbedding } from './embedding.ts'
import { SearchHit, SearchMeta, SearchQuery, SearchRequest } from './search-shapes.ts'

const description = [
  'Hits are ordered by score. `lexical`: BM25 (k1 1.2, b 0.75) over the lexemes of title and text, where a word of the title counts twice; the best 50 hits get a bonus for exact word forms and for words that are adjacent as in the query. Accents and case are ignored. Stop words, such as `the`, find records only in quoted phrases and in queries that have no other words. Words of Chinese, Japanese, Thai, Lao, Khmer and Burmese are found anywhere in a text, and variants in width, such as half-width kana, are the same letters. Unknown words are treated as misspelled: words with a similar spelling are searched too, and `meta.warnings` says so (`respelled`).',
  '`semantic`: the cosine similarity of the query and the nearest part of a record, by the embeddings that `PATCH /v1/data/embedding` has chosen, of the data sources with `embed`; an error without a choice. `hybrid`: both, of the best 1,000 hits of each, or 10,000 with phrases, filters or facets; the score is from 0 to 1: the mean of the similarity, between the least and the greatest of these hits, and of the part of the query that the words of a record match; without embeddings the search is lexical, and `meta` says so. Quoted phrases must match in every mode: the same word forms, stop words included, side by side in the title or the text; case and accents are ignored. Records are embedded shortly after they are stored; `meta` states how many are not embedded yet.',
  'The pages of a search are one view: each record that matches is a hit of one page, whatever is written between them; records that are created after the first page are not, and deleted ones are left out. The ranking is kept for an hour from the second page on; after that, or after many other searches of the workspace, a cursor is answered with 410 `cursor_expired`. A cursor belongs to its query, filters and facets, and reaches at most 10,000 hits, also with `sort`. A search ends after 5 seconds with `search_timeout`, and when its client disconnects. Of one workspace a few searches run at once; others wait for their turn within these 5 seconds.',
  'Limits: 2,000 characters and 10 quoted phrases a query; of an array in the data, filters and facets read the first 1,000 members. Of a query without a match 3 words are respelled, and 128 different words are searched (`words_ignored`).',
  'Without a query, records that pass the `filters` are listed newest first, or by the field of `sort`: numbers, times and false before true, before text, which is compared by its first 64 characters; records without a value come last. A page examines at most 100,000 records: newest first, its cursor continues after them, even if the page is empty; with `sort`, only the 100,000 newest are ordered, and `meta.warnings` says so (`sorted_newest`). `total` is counted on the first page, with `facets` or `sort` on every page; facets count the 10,000 newest records.',
  'Filters compare by the declared type of a field, or else by the type of its values: bounds of another type are rejected; a value of another type is in no record, which `meta.warnings` reports (`type_mismatch`). A field that no searched source has is reported too (`unknown_field`).',
  'With `include`, a page ends after 8 MiB of data.',
  'Data sources with `record_access: "aggregates"` are left out, which `meta.warnings` reports (`records_restricted`); a search of such sources alone is refused.',
  'Where the operator ranks with OpenSearch, searches with a query find records about a second after they are stored, scores differ, and facets count all matches. While it is unavailable, `meta.warnings` says so (`search_engine_unavailable`).',
].join('\n\n')

const searchErrors = [
  'unknown_reference',
  'invalid_cursor',
  'cursor_expired',
  'embeddings_not_connected',
  'embeddings_unavailable',
  'search_timeout',
  'records_restricted',
] as const

/** Search of records, and the embeddings it uses. */
export const dataSearch = declareEndpoints('data', {
  ...dataEmbedding,
  search: {
    method: 'GET',
    path: '/v1/data/search',
    summary: 'Search records',
    description,
    scope: 'data:read',
    cancellable: true,
    query: SearchQuery,
    list: SearchHit,
    meta: SearchMeta,
    errors: searchErrors,
  },
  searchRecords: {
    method: 'POST',
    path: '/v1/data/search',
    summary: 'Search records, with filters, facets and order',
    description,
    scope: 'data:read',
    callers: ['ai'],
    tool: {
      name: 'search_records',
      description: [
        'Searches the records of the workspace. With `query`, hits are ordered by relevance: `lexical` finds words and quoted phrases, `semantic` and `hybrid` also meaning, where the workspace has embeddings. Without `query`, lists the records that pass `filters`, newest first or by `sort`.',
        'A hit has the key, title and a snippet of its record; `include: ["data"]` adds all fields, and `get_record` reads one record. `facets` counts the values of fields. `meta.warnings` tells of unknown fields and respelled words.',
      ].join('\n\n'),
      hints: { readOnly: true },
    },
    cancellable: true,
    body: SearchRequest,
    list: SearchHit,
    meta: SearchMeta,
    errors: searchErrors,
  },
})
