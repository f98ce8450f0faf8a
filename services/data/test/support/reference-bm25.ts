import { withClient } from './database.ts'

const [k1, b, titleWeight] = [1.2, 0.75, 2]
/** Parameters of the proximity boost (docs/decisions/search-index.md), and the number of documents that get it. */
const [formWeight, pairWeight, maxDistance, maxBoosted] = [0.5, 0.4, 3, 50]

export interface ReferenceDocument {
  key: string
  title: string | null
  text: string
}

interface AnalyzedText {
  /** The lexeme of every word and of its other spellings, with repetitions. */
  lexemes: string[]
  /** Every word as written, with its lexeme. */
  forms: { form: string; lexeme: string | undefined }[]
}

/**
 * Computes the scores of a query directly from the formulas: BM25 over the lexemes of each document, with title words
 * counted twice, and the proximity boost over word forms and pairs for the best documents.
 * @param documents in the order of their numbers
 */
export async function computeReferenceScores(
  url: string | undefined,
  documents: readonly ReferenceDocument[],
  query: string,
): Promise<Map<string, number>> {
  const titles = await analyze(
    url,
    documents.map(({ title }) => title ?? ''),
  )
  const texts = await analyze(
    url,
    documents.map(({ text }) => text),
  )
  const [queryWords = empty] = await analyze(url, [query])
  const indexed = documents
    .map(({ key }, nth) => ({ key, title: titles[nth] ?? empty, text: texts[nth] ?? empty }))
    .map(({ key, title, text }) => ({ key, title, text, words: [...text.lexemes, ...title.lexemes, ...title.lexemes] }))
    // A record without words is not a document.
    .filter(({ words }) => words.length > 0)
  const meanLength = indexed.reduce((sum, { words }) => sum + words.length, 0) / indexed.length
  const idfOf = (lexeme: string | undefined) => {
    const frequency = indexed.filter(({ words }) => words.includes(lexeme ?? '')).length
    return Math.log(1 + (indexed.length - frequency + 0.5) / (frequency + 0.5))
  }
  const saturate = (occurrences: number, length: number) =>
    (occurrences * (k1 + 1)) / (occurrences + k1 * (1 - b + (b * length) / meanLength))
  const matching = indexed
    .map((document) => {
      const termScores = queryWords.lexemes.map((lexeme) => {
        const occurrences = document.words.filter((word) => word === lexeme).length
        return idfOf(lexeme) * saturate(occurrences, document.words.length)
      })
      return { ...document, score: termScores.reduce((sum, score) => sum + score, 0) }
    })
    .filter(({ score }) => score > 0)
  const best = matching.toSorted((x, y) => Number((y.score - x.score).toFixed(9))).slice(0, maxBoosted)
  const features = listFeatures(queryWords, idfOf)
  const counted = best.map((document) => features.map(({ count }) => count(document)))
  const rarityOf = (nth: number) => {
    const frequency = counted.filter((counts) => (counts[nth] ?? 0) > 0).length
    const idf = (many: number) => Math.log(1 + (best.length - many + 0.5) / (many + 0.5))
    return idf(frequency) / idf(1)
  }
  for (const [at, document] of best.entries())
    for (const [nth, { weight }] of features.entries()) {
      const count = counted[at]?.[nth] ?? 0
      if (count > 0) document.score += weight * rarityOf(nth) * saturate(count, document.words.length)
    }
  return new Map(matching.map(({ key, score }) => [key, score]))
}

interface BoostFeature {
  weight: number
  /** Counts the occurrences in a document, those in the title twice. */
  count(document: { title: AnalyzedText; text: AnalyzedText }): number
}

/** Lists the word forms of a query and their pairs. */
function listFeatures(query: AnalyzedText, idfOf: (lexeme: string) => number): BoostFeature[] {
  const words = query.forms.flatMap(({ form, lexeme }, position) =>
    lexeme === undefined ? [] : [{ form, position, idf: idfOf(lexeme) }],
  )
  const pairs = words.flatMap((first, nth) =>
    words
      .slice(nth + 1)
      .filter(({ form, position }) => form !== first.form && position - first.position <= maxDistance)
      .map((second) => ({ first, second })),
  )
  const distinctPairs = pairs.filter(
    ({ first, second }, nth) =>
      nth === pairs.findIndex((other) => other.first.form === first.form && other.second.form === second.form),
  )
  const weighted = (count: (forms: string[]) => number) => (document: { title: AnalyzedText; text: AnalyzedText }) =>
    titleWeight * count(document.title.forms.map(({ form }) => form)) +
    count(document.text.forms.map(({ form }) => form))
  return [
    ...words.map(({ form, idf }) => ({
      weight: formWeight * idf,
      count: weighted((forms) => forms.filter((other) => other === form).length),
    })),
    ...distinctPairs.map(({ first, second }) => ({
      weight: (pairWeight * (first.idf + second.idf)) / 2,
      count: weighted((forms) => countPairs(forms, first.form, second.form)),
    })),
  ]
}

const countPairs = (forms: string[], first: string, second: string) =>
  forms.filter((form, at) => form === first && forms.slice(at + 1, at + 1 + maxDistance).includes(second)).length

const empty: AnalyzedText = { lexemes: [], forms: [] }

/** Analyzes texts with the text search configuration for English. */
function analyze(url: string | undefined, texts: readonly string[]): Promise<AnalyzedText[]> {
  const separated = texts.map((text) => text.replaceAll(/[-/]/g, ' ').replaceAll(/(?<=\p{L}{2})\.(?=\p{L}{2})/gu, ' '))
  const spellings = texts.map((text) => listSpellings(text).join(' '))
  return withClient(url, async (client) => {
    const { rows } = await client.query<AnalyzedText>(
      `SELECT ARRAY (SELECT lexeme FROM unnest(to_tsvector('public.search_english', text || ' ' || spellings)) AS found,
                                        unnest(positions) AS each) AS lexemes,
              (SELECT coalesce(json_agg(json_build_object('form', lower(unaccent(form)),
                        'lexeme', (tsvector_to_array(to_tsvector('public.search_english', form)))[1]) ORDER BY nth), '[]')
                 FROM regexp_split_to_table(text, '[^[:alnum:]]+') WITH ORDINALITY AS written (form, nth)
                WHERE form <> '') AS forms
         FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS given (text, spellings, position) ORDER BY position`,
      [separated, spellings],
    )
    return rows.map(({ lexemes, forms }) => ({
      lexemes,
      forms: forms.map(({ form, lexeme }) => ({ form, lexeme: lexeme ?? undefined })),
    }))
  })
}

/** Lists words with hyphens as one word each, and words of letters and then digits as two. */
const listSpellings = (text: string): string[] => [
  ...(text.match(/[\p{L}\p{N}]+(-[\p{L}\p{N}]+)+/gu) ?? []).map((word) => word.replaceAll('-', '')),
  ...(text.match(/(?<![\p{L}\p{N}])\p{L}+\p{N}+(?![\p{L}\p{N}])/gu) ?? []).map((word) =>
    word.replace(/(?=\p{N})/u, ' '),
  ),
]
