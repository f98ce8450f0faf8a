import { call, callAll, type Steps } from '../answers/answer-steps.ts'
import type { phrases } from '../language/phrases.ts'
import { searchQueryOf } from '../language/vocabulary.ts'
import { type Word, wordsOf } from '../language/words.ts'
import { type KnownRecord, recordsOf, sourcesOf } from '../tool-results.ts'
import { contentWords, findPassage, type Passage } from './find-passage.ts'

/** Quotes a passage, and those that contradict it. */
export const passageText = ({ text, marker, others }: Passage, say: (typeof phrases)['en']): string =>
  others.length === 0
    ? `${text} ${marker}`
    : [say.textsDiffer, ...[{ text, marker }, ...others].map((one) => `- ${one.text} ${one.marker}`)].join('\n')

const ranking =
  /^(?:most|least|fewest|highest|lowest|oldest|newest|youngest|longest|shortest|largest|smallest|average|meiste[nrs]?|wenigste[nrs]?|(?:hochst|niedrigst|altest|jungst|neuest|langst|kurzest|grosst|kleinst)e[nrs]?)$/

/** Returns false if only the question ranks: the oldest employee is not in a rule on older claims. */
export const ranksAs = ({ text }: Passage, words: readonly Word[]): boolean => {
  // `At most` ranks nothing.
  const known = new Set(wordsOf(text.replaceAll(/\bat (?:most|least)\b/gi, '')).map(({ plain }) => plain))
  return words.every(({ plain }) => !ranking.test(plain) || known.has(plain))
}

/** Returns why no passage answers, with the nearest one if it has at least half of the words. */
export function reasonOf(passage: Passage | undefined, words: readonly Word[], say: (typeof phrases)['en']): string {
  const asked = contentWords(words)
  if (passage === undefined) return asked.length === 0 ? '' : say.notInTexts(asked)
  const missing = say.notInTexts(passage.missing)
  return passage.missing.length * 2 > asked.length
    ? missing
    : `${missing} ${say.nearestPassage(`${passage.text} ${passage.marker}`)}`
}

const [textHits, maxReadRecords, maxTexts] = [10, 3, 20]
/** Sources with more fields are tables. */
const maxTextFields = 7

/** Searches, reads the records whose texts are cut in the hits, and returns the passage with the most words. */
export function* searchPassage(words: readonly Word[], tools: ReadonlySet<string>): Steps<Passage | undefined> {
  const asked = contentWords(words)
  if (asked.length === 0 || !tools.has('search_data')) return undefined
  const input = { query: searchQueryOf(asked), limit: textHits }
  const found = yield* readPassage(words, recordsOf(yield* call('search_data', input)), tools)
  if (found?.missing.length === 0 || !tools.has('list_sources')) return found
  // The rows of tables must not hide the texts beside them.
  const sources = sourcesOf(yield* call('list_sources', {}))
  const texts = sources.filter(({ fields }) => fields.length <= maxTextFields).map(({ id }) => id)
  if (texts.length === 0 || texts.length === sources.length) return found
  const hits = recordsOf(yield* call('search_data', { ...input, data_source_ids: texts.slice(0, maxTexts) }))
  const other = yield* readPassage(words, hits, tools)
  return (other?.missing.length ?? asked.length) < (found?.missing.length ?? asked.length) ? other : found
}

function* readPassage(
  words: readonly Word[],
  hits: readonly KnownRecord[],
  tools: ReadonlySet<string>,
): Steps<Passage | undefined> {
  const isCut = ({ data }: KnownRecord) =>
    Object.values(data).some((value) => typeof value === 'string' && value.endsWith('…'))
  const cut = tools.has('read_record') ? hits.filter(isCut).slice(0, maxReadRecords) : []
  const read =
    cut.length === 0 ? [] : yield* callAll(...cut.map(({ id }) => ({ tool: 'read_record', input: { record_id: id } })))
  const whole = new Map(read.flatMap(recordsOf).map((record) => [record.id, record]))
  return findPassage(
    words,
    hits.map((hit) => whole.get(hit.id) ?? hit),
  )
}
