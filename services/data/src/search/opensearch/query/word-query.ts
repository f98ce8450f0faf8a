import type { SearchLanguage } from '@wp/contracts'
import { hasLetterOrDigit, listSymbolicWords, separateLetters } from '../../../store/search/text/unspaced-text.ts'
import { normalizeText } from '../../rank/proximity-boost.ts'
import { analyzerOf, textFields } from '../index/index-definition.ts'
import { allOf, anyOf, type EngineQuery, matchNone } from './filter-query.ts'

/** The languages of a search: those of its sources, and the one in which the query is parsed. */
export interface QueryLanguages {
  sources: readonly (SearchLanguage | null)[]
  query: SearchLanguage | undefined
}

/** A word of a query that matches nothing, and the number of edits by which similar words may differ. */
export interface WordToCorrect {
  form: string
  edits: number
}

export interface WordQueryParts {
  /** The query as it was written, without what exceeds its limits. */
  text: string
  /** Its different words. */
  words: readonly string[]
  /** The last word, if it may be incomplete. */
  prefix: string | null
  phrases: readonly string[]
  /** The words that are written without spaces. */
  unspacedWords: readonly string[]
  /** Other spellings of words with symbols. */
  symbolicWords: readonly string[]
}

const titleWeight = 2
/** Weights as in the ranking of PostgreSQL: exact forms, pairs of neighbours, completions, corrected words. */
const [formWeight, pairWeight, prefixWeight, correctedWeight] = [0.25, 0.2, 0.3, 0.5]
/** Pairs of a longer query are left out, because each costs as much as a phrase. */
const maxPairs = 5

/** The query for the words of a search. */
export interface WordQuery {
  /** Matches documents and scores them by BM25. Highlights mark its words. */
  matches: EngineQuery
  /** Add to the scores of the best documents: exact forms and neighbours. */
  boosts: readonly EngineQuery[]
}

/** Returns the query for documents with any of the words. */
export function toWordQuery(
  languages: QueryLanguages,
  parts: WordQueryParts,
  corrections: readonly WordToCorrect[] = [],
): WordQuery {
  const { text, words } = parts
  const pairs = words.slice(0, maxPairs).flatMap((word, nth) => {
    const next = words[nth + 1]
    return next === undefined
      ? []
      : [{ match_phrase: { words: { query: `${word} ${next}`, slop: 1, boost: pairWeight } } }]
  })
  const forms = { match: { words: { query: text, boost: formWeight } } }
  return { matches: toMatchQuery(languages, parts, corrections), boosts: words.length === 0 ? [] : [forms, ...pairs] }
}

function toMatchQuery(
  languages: QueryLanguages,
  { text, words, prefix, phrases, unspacedWords, symbolicWords }: WordQueryParts,
  corrections: readonly WordToCorrect[],
): EngineQuery {
  return anyOf([
    // A phrase of stop words is no word of the fields of a language.
    ...phrases.map(toPhraseQuery),
    ...unspacedWords.map((word) => matchUnspaced(languages, word)),
    ...(symbolicWords.length === 0 ? [] : [{ match: { spellings: symbolicWords.join(' ') } }]),
    ...(words.length === 0 ? [] : [matchWords(languages, text)]),
    ...(prefix === null ? [] : [matchPrefix(prefix)]),
    ...corrections.map(({ form, edits }) => matchSimilar(languages, form, edits, 2, correctedWeight)),
  ])
}

/** Returns the query for words spelled like those of a query without a match. */
export function toRespelledQuery(languages: QueryLanguages, words: readonly string[]): WordQuery {
  return {
    matches: anyOf(words.map((word) => matchSimilar(languages, word, maxRespelledEdits(word), 0, 1))),
    boosts: [],
  }
}

const maxRespelledEdits = (word: string): number => (word.length >= 6 ? 2 : 1)

/** Returns the query for a phrase within the title or the text, stop words included. One of signs alone is nowhere. */
export function toPhraseQuery(phrase: string): EngineQuery {
  const symbols = listSymbolicWords(phrase).map((word) => ({ match: { spellings: word } }))
  const words = hasLetterOrDigit(phrase) ? [{ match_phrase: { words: separateLetters(phrase) } }] : []
  const parts = [...words, ...symbols]
  return parts.length === 0 ? matchNone : allOf(parts)
}

/** Returns the query for a word that is written without spaces: its letters side by side. */
const matchUnspaced = (languages: QueryLanguages, word: string): EngineQuery =>
  anyOf(
    fieldsOf(languages).flatMap(({ names, analyzer }) =>
      names.map((name, nth) => ({
        match_phrase: { [name]: { query: separateLetters(word), boost: nth === 0 ? titleWeight : 1, ...analyzer } },
      })),
    ),
  )

/** Returns the query for the words of a query that has only stop words. */
export function toStopWordQuery(text: string): WordQuery {
  return { matches: { match: { words: text } }, boosts: [] }
}

/** Returns the query for documents that have a word or its completions; a stop word matches all. */
export function toKnownWordQuery(languages: QueryLanguages, word: string, isPrefix: boolean): EngineQuery {
  const matches = matchWords(languages, word, { zero_terms_query: 'all' })
  return isPrefix ? anyOf([matches, matchPrefix(word)]) : matches
}

/** Returns a query that matches nothing more, and says of each hit which of the words it has. */
export const withMatchedWords = (query: EngineQuery, words: readonly [name: string, EngineQuery][]): EngineQuery => ({
  bool: {
    must: [query],
    should: words.map(([name, filter]) => ({ constant_score: { filter, boost: 0, _name: name } })),
  },
})

function matchWords(languages: QueryLanguages, text: string, options: object = {}): EngineQuery {
  return anyOf(
    fieldsOf(languages).map(({ names, analyzer }) => ({
      multi_match: {
        query: text,
        fields: [`${names[0]}^${titleWeight}`, names[1]],
        type: 'most_fields',
        ...analyzer,
        ...options,
      },
    })),
  )
}

/** Of all words with this beginning, not of the 50 first of all workspaces: constant scores need no such limit. */
const matchPrefix = (prefix: string): EngineQuery => ({
  constant_score: { filter: { prefix: { words: normalizeText(prefix) } }, boost: prefixWeight },
})

function matchSimilar(
  languages: QueryLanguages,
  word: string,
  edits: number,
  samePrefix: number,
  boost: number,
): EngineQuery {
  const options = { fuzziness: edits, prefix_length: samePrefix, fuzzy_rewrite: 'constant_score', boost }
  return anyOf(
    fieldsOf(languages).flatMap(({ names, analyzer }) =>
      names.map((name) => ({ match: { [name]: { query: word, ...options, ...analyzer } } })),
    ),
  )
}

function fieldsOf({ sources, query }: QueryLanguages) {
  return [...new Set(sources)].map((language) => ({
    names: [textFields(language).title, textFields(language).text] as const,
    analyzer: query === undefined ? {} : { analyzer: analyzerOf(query) },
  }))
}
