import type { Phrases } from '../language/phrases.ts'
import { isFunctionWord, type Language, type Word } from '../language/words.ts'
import { parseQuery } from '../query/parse-query.ts'
import { type Query, Refusal } from '../query/query.ts'
import type { KnownValue } from '../query/tags/tag.ts'
import { tagWords } from '../query/tags/tag-words.ts'
import {
  arrayIn,
  type KnownRecord,
  type KnownSource,
  memberOf,
  recordsOf,
  sourcesOf,
  type ToolOutcome,
} from '../tool-results.ts'
import { callAll, type Steps } from './answer-steps.ts'

/** Sources whose values are read; a longer value is a text; a longer question is no question about a table. */
const [maxSources, maxFacets, maxValueLength, maxWords, linkingHits] = [4, 10, 60, 60, 20]

/** A question, and what its answer needs beside the data. */
export interface Asked {
  /** Those of all turns. */
  words: readonly Word[]
  /** The words of the question, and of those that followed it. */
  turns: readonly (readonly Word[])[]
  language: Language
  today: Date
  say: Phrases
}

/** A question as one source understands it. */
export interface Reading {
  source: KnownSource
  /** True if the question names the source. */
  isNamed: boolean
  tags: number
  values: KnownValue[]
}

/** Reads the values of the sources that a question may be about, and returns how well each fits, best first. */
export function* readSources(
  sources: readonly KnownSource[],
  { words, language }: Pick<Asked, 'words' | 'language'>,
  tools: ReadonlySet<string>,
): Steps<Reading[]> {
  if (words.length > maxWords) return []
  const query = words
    .filter(({ text }) => !isFunctionWord(text) || /^\p{Lu}{2,}$/u.test(text))
    .map(({ text }) => text)
    .join(' ')
    .slice(0, 1_000)
  // A value, such as `laptops`, may be all that tells which of many sources a question is about.
  const isLinked = sources.length > maxSources && query !== '' && tools.has('search_data')
  const linked = isLinked ? yield* callAll({ tool: 'search_data', input: { query, limit: linkingHits } }) : []
  const hits = linked.flatMap(recordsOf)
  const scored = (yield* withAllFields(sources))
    .map((source) => {
      const values = isLinked ? valuesIn(source, hits) : []
      return { source, ...(sources.length > maxSources ? scoreOf(words, source, values, language) : unscored) }
    })
    .toSorted(byFit)
    .slice(0, maxSources)
  const readings: Reading[] = []
  const inputs = scored.flatMap(({ source }) => {
    const facets = textFields(source).slice(0, maxFacets)
    const input = { data_source_ids: [source.id], ...(facets.length === 0 ? {} : { facets }) }
    // The most frequent values of all records, and those of the records that have the words of the question.
    return [{ ...input, filters: {}, limit: 1 }, ...(query === '' ? [] : [{ ...input, query, limit: linkingHits }])]
  })
  const calls = tools.has('search_data') ? inputs.map((input) => ({ tool: 'search_data', input })) : []
  const outcomes = calls.length === 0 ? [] : yield* callAll(...calls)
  for (const { source } of scored) {
    const isOf = ({ input }: ToolOutcome) => arrayIn(input, 'data_source_ids').includes(source.id)
    const values = valuesOf(source, outcomes.filter(isOf))
    readings.push({ source, values, ...scoreOf(words, source, values, language) })
  }
  return readings.toSorted(byFit)
}

/** Reads all fields of the widest sources, of which the list has the first. */
function* withAllFields(sources: readonly KnownSource[]): Steps<KnownSource[]> {
  const cut = sources.filter(({ isCut }) => isCut).slice(0, maxSources)
  if (cut.length === 0) return [...sources]
  const outcomes = yield* callAll(...cut.map(({ name }) => ({ tool: 'list_sources', input: { name } })))
  const whole = new Map(outcomes.flatMap(sourcesOf).map((source) => [source.id, source]))
  return sources.map((source) => whole.get(source.id) ?? source)
}

const unscored = { isNamed: false, tags: 0 }
const byFit = (a: typeof unscored, b: typeof unscored) => Number(b.isNamed) - Number(a.isNamed) || b.tags - a.tags

function scoreOf(words: readonly Word[], source: KnownSource, values: readonly KnownValue[], language: Language) {
  const { tags } = tagWords(words, source, values, language)
  return {
    isNamed: tags.some(({ letter }) => letter === 'S'),
    tags: tags.reduce((sum, { text }) => sum + text.split(' ').length, 0),
  }
}

/** Returns how well sources fit other words, best first. */
export const rescore = (readings: readonly Reading[], words: readonly Word[], language: Language): Reading[] =>
  readings
    .map((reading) => ({ ...reading, ...scoreOf(words, reading.source, reading.values, language) }))
    .toSorted(byFit)

const textFields = ({ fields }: KnownSource): string[] =>
  fields.filter(({ type }) => type === 'string' || type === 'mixed').map(({ name }) => name)

/** Returns the texts of the records of a source among hits. */
const valuesIn = (source: KnownSource, hits: readonly KnownRecord[]): KnownValue[] =>
  hits
    .filter(({ sourceId }) => sourceId === source.id)
    .flatMap(({ data }) => textFields(source).map((field) => ({ field, value: data[field] })))
    .filter((known): known is KnownValue => typeof known.value === 'string' && known.value.length <= maxValueLength)

function valuesOf(source: KnownSource, outcomes: readonly ToolOutcome[]): KnownValue[] {
  const found = new Map<string, KnownValue>()
  for (const field of textFields(source))
    for (const outcome of outcomes) {
      const facets = arrayIn(memberOf(outcome.output, 'facets'), field)
      const more = facets
        .filter((facet) => Number(memberOf(facet, 'count')) > 1)
        .map((facet) => memberOf(facet, 'value'))
      // Some rows that came twice do not make a column of identifiers one of groups.
      const repeated = more.length * 2 > facets.length ? more : []
      const listed = [
        ...facets.map((facet) => memberOf(facet, 'value')),
        ...recordsOf(outcome).map(({ data }) => data[field]),
      ]
      for (const value of listed)
        if (typeof value === 'string' && value !== '' && value.length <= maxValueLength) {
          const key = `${field}\0${value.toLowerCase()}`
          const isRepeated = found.get(key)?.isRepeated === true || repeated.includes(value)
          found.set(key, { field, value, ...(isRepeated ? { isRepeated } : {}) })
        }
    }
  return [...found.values()]
}

/** Returns the query of the source that understands every word of a question. @throws Refusal if none or several do */
export function queryOf(readings: readonly Reading[], { words, turns, language, today, say }: Asked): Query {
  const queries: { query: Query; isNamed: boolean; tags: number }[] = []
  let nearest: Refusal | undefined
  for (const { source, values, isNamed, tags } of readings)
    try {
      queries.push({ query: parseQuery(turns, source, { values, language, today }), isNamed, tags })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      nearest ??= error
    }
  const named = queries.filter(({ isNamed }) => isNamed)
  const candidates = named.length > 0 ? named : queries
  // Readings are in order: one that has a word as its own fits better than one to which the word says nothing.
  const [only, other] = candidates.filter(({ tags }) => tags === candidates[0]?.tags)
  if (only === undefined) throw nearest ?? new Refusal(say.noSubject, words.length)
  if (other !== undefined) throw new Refusal(say.ambiguousSource(queries.map(({ query }) => query.source.name)))
  return only.query
}
