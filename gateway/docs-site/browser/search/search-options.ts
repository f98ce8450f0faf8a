import type { Options } from 'minisearch'

/** Options of the search index. It is written and read with the same ones. */
export const searchOptions = {
  idField: 'address',
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page', 'section', 'text'],
  searchOptions: {
    boost: { title: 4, page: 1.5 },
    prefix: true,
    fuzzy: (term: string) => (term.length > 4 ? 0.2 : false),
    combineWith: 'AND',
  },
} satisfies Options
