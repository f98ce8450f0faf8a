import { defaultSearchLanguage, type SearchLanguage, searchLanguages } from '@wp/contracts'

/**
 * The alias through which one index is written. It disappears with its index, so that a write never creates an index
 * without this definition.
 */
export const writeAlias = (indexName: string): string => `write-${indexName}`

export interface IndexSize {
  shards: number
  replicas: number
}

/**
 * Returns settings and mapping of an index with the records of all workspaces. The title and the text of a record are
 * in the fields of the language of its source; `words` has both, unstemmed and with stop
 * words; `spellings` has other spellings of their words. Fields of the data are not mapped, because
 * their names are those of users: they are terms of `values` and `facets`; see field-terms.ts.
 */
export function indexDefinition(indexName: string, { shards, replicas }: IndexSize): object {
  const text = (analyzer: string) => ({ type: 'text', analyzer, copy_to: 'words' })
  const languageFields = searchLanguages.flatMap((language) => {
    const analyzer = analyzerOf(language)
    const { title, text: body } = textFields(language)
    return [
      [title, text(analyzer)],
      [body, text(analyzer)],
    ]
  })
  return {
    settings: {
      index: {
        number_of_shards: shards,
        number_of_replicas: replicas,
        knn: true,
        // A write that was delayed for longer than a claim must not bring a deleted record back.
        gc_deletes: '1h',
        refresh_interval: '1s',
        // The depth of semantic rankings.
        max_result_window: 10_000,
        analysis: analysis(),
      },
    },
    aliases: { [writeAlias(indexName)]: {} },
    mappings: {
      dynamic: false,
      _routing: { required: true },
      // Everything else is read from PostgreSQL, and documents are never updated in parts.
      _source: { includes: ['title_*', 'text_*', 'chunks.start', 'chunks.length'] },
      properties: {
        workspace_id: { type: 'keyword' },
        data_source_id: { type: 'keyword' },
        record_id: { type: 'keyword' },
        ...Object.fromEntries(languageFields),
        words: { type: 'text', analyzer: analyzerOf('simple') },
        spellings: { type: 'text', analyzer: 'whitespace' },
        values: { type: 'keyword', doc_values: false },
        facets: { type: 'keyword', index: false },
        space: { type: 'keyword', doc_values: false },
        chunks: {
          type: 'nested',
          dynamic: false,
          properties: { start: { type: 'integer' }, length: { type: 'integer' } },
        },
      },
    },
  }
}

/** Returns the names of the fields of a language. */
export function textFields(language: SearchLanguage | null | undefined): { title: string; text: string } {
  const suffix = language ?? defaultSearchLanguage
  return { title: `title_${suffix}`, text: `text_${suffix}` }
}

export const analyzerOf = (language: SearchLanguage): string => `platform_${language}`

/** The field of vectors with a number of dimensions. Providers differ in it, so these fields are added when needed. */
export const vectorField = (dimensions: number): string => `vector_${dimensions}`

/** Returns the mapping of vectors with these numbers of dimensions. */
export const vectorMapping = (dimensions: readonly number[]): object => ({
  properties: {
    chunks: {
      type: 'nested',
      properties: Object.fromEntries(
        dimensions.map((dimension) => [
          vectorField(dimension),
          {
            type: 'knn_vector',
            dimension,
            method: { name: 'hnsw', engine: 'lucene', space_type: 'cosinesimil' },
          },
        ]),
      ),
    },
  },
})

/** Languages with a stemmer: Snowball's, as in PostgreSQL. Others are indexed by the forms of their words. */
const stemmed: ReadonlySet<SearchLanguage> = new Set([
  ...(['arabic', 'armenian', 'basque', 'catalan', 'danish', 'dutch', 'english', 'finnish', 'french'] as const),
  ...(['german', 'greek', 'hindi', 'hungarian', 'indonesian', 'irish', 'italian', 'lithuanian'] as const),
  ...(['norwegian', 'portuguese', 'romanian', 'russian', 'spanish', 'swedish', 'turkish'] as const),
])

/**
 * Analyzers that separate words as PostgreSQL does: `rise.Then` and `foo_bar` are two words, `3.5` is one, and an emoji
 * is none.
 */
function analysis(): object {
  const filters: Record<string, object> = {}
  const analyzers: Record<string, object> = {}
  for (const language of searchLanguages) {
    const isStemmed = stemmed.has(language)
    if (isStemmed) {
      filters[`${language}_stop`] = { type: 'stop', stopwords: `_${language}_` }
      filters[`${language}_stemmer`] = { type: 'stemmer', language: language === 'english' ? 'porter2' : language }
    }
    const own = isStemmed ? [`${language}_stop`, 'asciifolding', `${language}_stemmer`] : []
    analyzers[analyzerOf(language)] = {
      type: 'custom',
      char_filter: ['separators'],
      tokenizer: 'standard',
      filter: ['lowercase', ...(own.length > 0 ? own : ['asciifolding'])],
    }
  }
  return {
    char_filter: {
      separators: {
        type: 'pattern_replace',
        // Looks back at full stops only: at each character it takes six times as long, also for each highlight.
        pattern: '[_\\p{So}\\p{Sk}]|\\.(?<=\\p{L}\\p{L}\\.)(?=\\p{L}\\p{L})',
        replacement: ' ',
      },
    },
    filter: filters,
    analyzer: analyzers,
  }
}
