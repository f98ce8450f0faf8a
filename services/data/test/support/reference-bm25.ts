import { withClient } from './database.ts'

const [k1, b, titleWeight] = [1.2, 0.75, 2]
/** What wording counts (docs/decisions/search-index.md), and how many of the best it is looked for in. */
const [formWeight, pairWeight, near, worded] = [0.25, 0.2, 3, 50]

export interface ReferenceDocument {
  key: string
  title: string | null
  text: string
}

interface AnalyzedText {
  /** Every word as PostgreSQL has it, as often as it stands there. */
  lexemes: string[]
  /** Every word as it is written, with what PostgreSQL makes of it alone. */
  forms: { form: string; lexeme: string | undefined }[]
}

/**
 * Scores of a query by BM25, written down as the formula stands in the books: for each document, over lexemes that
 * PostgreSQL finds in it, a word of the title counting as two; for the best once more over words as they are written,
 * and over pairs of those.
 * @param documents in the order of their numbers
 */
export async function computeReferenceScores(
  url: string | undefined,
  documents: readonly ReferenceDocument[],
  query: string,
): Promise<Map<string, number>> {
  const titles = await read(
    url,
    documents.map(({ title }) => title ?? ''),
  )
  const texts = await read(
    url,
    documents.map(({ text }) => text),
  )
  const [asked] = await read(url, [query])
  const all = documents
    .map(({ key }, at) => ({ key, title: titles[at] ?? nothing, text: texts[at] ?? nothing }))
    .map((one) => ({ ...one, words: [...one.text.lexemes, ...one.title.lexemes, ...one.title.lexemes] }))
    // What has no words is no document.
    .filter(({ words }) => words.length > 0)
  const mean = all.reduce((sum, { words }) => sum + words.length, 0) / all.length
  const rarity = (lexeme: string | undefined) => {
    const frequency = all.filter(({ words }) => words.includes(lexeme ?? '')).length
    return Math.log(1 + (all.length - frequency + 0.5) / (frequency + 0.5))
  }
  const part = (times: number, length: number) => (times * (k1 + 1)) / (times + k1 * (1 - b + (b * length) / mean))
  const scored = all.map((one) => {
    const counts = (asked ?? nothing).lexemes.map((lexeme) => {
      const times = one.words.filter((word) => word === lexeme).length
      return rarity(lexeme) * part(times, one.words.length)
    })
    return { ...one, score: counts.reduce((sum, count) => sum + count, 0) }
  })
  const found = scored.filter(({ score }) => score > 0)
  const best = found.toSorted((one, other) => Number((other.score - one.score).toFixed(9))).slice(0, worded)

  const forms = (asked ?? nothing).forms.flatMap(({ form, lexeme }, place) =>
    lexeme === undefined ? [] : [{ form, place, rarity: rarity(lexeme) }],
  )
  const pairs = forms.flatMap((one, nth) =>
    forms
      .slice(nth + 1)
      .filter(({ form, place }) => form !== one.form && place - one.place <= near)
      .map((other) => ({ one, other })),
  )
  const onlyOnce = pairs.filter(
    (pair, nth) =>
      nth === pairs.findIndex(({ one, other }) => one.form === pair.one.form && other.form === pair.other.form),
  )
  for (const document of best) {
    const times = (count: (written: string[]) => number) =>
      titleWeight * count(document.title.forms.map(({ form }) => form)) +
      count(document.text.forms.map(({ form }) => form))
    for (const { form, rarity: rare } of forms)
      document.score +=
        formWeight *
        rare *
        part(
          times((all) => all.filter((other) => other === form).length),
          document.words.length,
        )
    for (const { one, other } of onlyOnce)
      document.score +=
        (pairWeight *
          (one.rarity + other.rarity) *
          part(
            times((all) => timesNear(all, one.form, other.form)),
            document.words.length,
          )) /
        2
  }
  return new Map(found.map(({ key, score }) => [key, score]))
}

const timesNear = (written: string[], one: string, other: string) =>
  written.filter((form, at) => form === one && written.slice(at + 1, at + 1 + near).includes(other)).length

const nothing: AnalyzedText = { lexemes: [], forms: [] }

function read(url: string | undefined, texts: readonly string[]): Promise<AnalyzedText[]> {
  const separate = texts.map((text) => text.replaceAll(/[-/]/g, ' ').replaceAll(/(?<=\p{L}{2})\.(?=\p{L}{2})/gu, ' '))
  return withClient(url, async (client) => {
    const { rows } = await client.query<AnalyzedText>(
      `SELECT ARRAY (SELECT lexeme FROM unnest(to_tsvector('public.search_english', text)) AS found, unnest(positions) AS each) AS lexemes,
              (SELECT coalesce(json_agg(json_build_object('form', lower(unaccent(form)), 'lexeme', (tsvector_to_array(to_tsvector('public.search_english', form)))[1]) ORDER BY nth), '[]')
                 FROM regexp_split_to_table(text, '[^[:alnum:]]+') WITH ORDINALITY AS written (form, nth) WHERE form <> '') AS forms
         FROM unnest($1::text[]) WITH ORDINALITY AS given (text, place) ORDER BY place`,
      [separate],
    )
    return rows.map(({ lexemes, forms }) => ({
      lexemes,
      forms: forms.map(({ form, lexeme }) => ({ form, lexeme: lexeme ?? undefined })),
    }))
  })
}
