import { isSameWord } from '../language/vocabulary.ts'
import { isFunctionWord, type Language, stemOf, type Word, wordsOf, wordsOfName } from '../language/words.ts'
import type { KnownSource } from '../tool-results.ts'

type Field = KnownSource['fields'][number]

/** A value that a field has, as it is in the data. */
export interface KnownValue {
  field: string
  value: string
}

/**
 * Parts of a question that the source has. In the tagged text each is one word, a letter and its position: `S0` the
 * source, `V1` a value, and `N2` a number, `D3` a time, `B4` a boolean or `X5` any other column.
 */
export interface Tag {
  letter: 'S' | 'V' | 'N' | 'D' | 'B' | 'X'
  /** As the user wrote it. */
  text: string
  /** The columns it may mean, or those that have the value. More than one: the question must say which. */
  options: KnownValue[]
  /** True for a column named by exactly this word: `visitors`, not `floors` for a column `floor`. */
  isExact: boolean
}

const letters: Partial<Record<string, Tag['letter']>> = { number: 'N', timestamp: 'D', boolean: 'B' }

/** Words that say nothing about a source or a column, at the end of a name or, for columns, as units. */
const genericNames = /^(?:data|export|list|table|csv|xlsx|json|log|all|directory|register|overview|sheet|20\d\d|\d+)$/
const nameEndings = /^(?:on|at|date|time|id|name|no|nr|by|to|for|am|um|datum)$/
const unitWords = /^(?:percent|pct|prozent|eur|usd|chf|gbp|hours?|stunden|minutes|min|seconds|days|kg|km|c|ppm|kwh)$/
/** Words of the grammar are no values, unless their column is named or they are written in capital letters. */
const grammarWords =
  /^(?:total|average|sum|count|min|max|most|least|more|less|other|yes|true|false|last|first|next|new|top|today|different)$/

const maxSpan = 6

interface Candidate extends Omit<Tag, 'text'> {
  start: number
  length: number
  /** 0 wins. */
  rank: number
}

/** Replaces words by tags, the longest names first. Returns text in lower case with a space around each word. */
export function tagWords(
  words: readonly Word[],
  source: KnownSource,
  values: readonly KnownValue[],
  language: Language,
): { text: string; tags: Tag[] } {
  const known = { source, values: values.map((known) => ({ ...known, words: wordsOf(known.value) })), language }
  const candidates = words
    .flatMap((_word, start) =>
      Array.from({ length: Math.min(maxSpan, words.length - start) }, (_, index) => ({ start, length: index + 1 })),
    )
    .flatMap(({ start, length }) =>
      candidatesOf(words.slice(start, start + length), known, words[start - 1]).map((found) => ({
        ...{ ...found, start, length },
      })),
    )
    .toSorted((a, b) => b.length - a.length || a.rank - b.rank || a.start - b.start)
  const chosen: Candidate[] = []
  for (const candidate of candidates)
    if (
      !chosen.some(
        ({ start, length }) => candidate.start < start + length && start < candidate.start + candidate.length,
      )
    )
      chosen.push(candidate)
  const tags: Tag[] = []
  const parts: string[] = []
  for (let at = 0; at < words.length; at++) {
    const tag = chosen.find(({ start }) => start === at)
    if (tag === undefined) parts.push(words[at]?.plain ?? '')
    else {
      const text = words
        .slice(at, at + tag.length)
        .map((word) => word.text)
        .join(' ')
      const { letter, options, isExact } = tag
      parts.push(`${letter}${tags.push({ letter, text, options, isExact }) - 1}`)
      at += tag.length - 1
    }
  }
  return { text: ` ${parts.join(' ')} `, tags }
}

interface Known {
  source: KnownSource
  values: readonly (KnownValue & { words: readonly Word[] })[]
  language: Language
}

type Found = Omit<Candidate, 'start' | 'length'>

function candidatesOf(span: readonly Word[], known: Known, before: Word | undefined): Found[] {
  const { source, language } = known
  const isSame = (names: readonly Word[]) =>
    names.length === span.length && names.every(({ plain }, at) => isSameWord(plain, span[at]?.plain ?? '', language))
  const found: Found[] = []
  const add = (rank: number, letter: Tag['letter'], options: KnownValue[], isExact = false) => {
    if (options.length > 0) found.push({ rank, letter, options, isExact })
  }
  const names = wordsOfName(source.name).filter(({ plain }) => !genericNames.test(plain))
  if (isSame(names) || isSame(names.slice(-1))) add(2, 'S', [{ field: '', value: '' }])
  addColumns(span, source.fields, isSame, before, add)
  const values = known.values.filter(({ words }) => isSame(words) && isName(words, span))
  add(
    4,
    'V',
    values.map(({ field, value }) => ({ field, value })),
  )
  return found
}

function addColumns(
  span: readonly Word[],
  fields: readonly Field[],
  isSame: (names: readonly Word[]) => boolean,
  before: Word | undefined,
  add: (rank: number, letter: Tag['letter'], options: KnownValue[], isExact?: boolean) => void,
): void {
  const [word] = span
  const isMeasured =
    /^(?:average|mean|highest|lowest|maximum|minimum|max|min|durchschnitt\w*|hochste\w*|niedrigste\w*)$/
  const options = (matches: (names: CoreName, field: Field) => boolean) =>
    fields.filter((field) => matches(coreOf(field.name), field)).map(({ name }) => ({ field: name, value: name }))
  const addAll = (rank: number, found: KnownValue[]) => {
    const kinds = new Set(
      found.map(({ field }) => letters[fields.find(({ name }) => name === field)?.type ?? ''] ?? 'X'),
    )
    const [letter = 'X'] = kinds.size === 1 ? kinds : []
    const isExact = letter === 'N' && found.length === 1 && isPlural(found[0]?.field ?? '', word?.plain ?? '')
    // `visitors` of a source and a column `visitors` are the numbers; `tickets` of a column `ticket` are the records.
    const isFirst = letter === 'N' && (isExact || isMeasured.test(before?.plain ?? ''))
    add(isFirst ? 1 : rank, letter, found, isExact)
  }
  addAll(
    3,
    options(({ full }) => isSame(full)),
  )
  addAll(
    5,
    options(({ core }) => isSame(core)),
  )
  if (span.length > 1 || word === undefined) return
  addAll(
    6,
    options(({ core, unit }) => isSame(core.slice(-1)) || (unit !== undefined && isSame([unit]))),
  )
  // `hired` for `hire_date`
  const isVerb = /(?:ed|s|ing)$/.test(word.plain) && word.plain.length > 4
  if (isVerb)
    addAll(
      7,
      options(({ core }, { type }) => type === 'timestamp' && stemOf(core[0]?.plain ?? '') === stemOf(word.plain)),
    )
}

interface CoreName {
  full: Word[]
  core: Word[]
  unit: Word | undefined
}

/** Returns the words of the name of a column without `is`, `_on`, `_id` and units. */
export function coreOf(name: string): CoreName {
  const full = wordsOfName(name)
  const core = /^(?:is|has)$/.test(full[0]?.plain ?? '') && full.length > 1 ? full.slice(1) : [...full]
  let unit: Word | undefined
  while (core.length > 1) {
    const end = core.at(-1)
    if (end === undefined || !(nameEndings.test(end.plain) || unitWords.test(end.plain))) break
    if (unitWords.test(end.plain)) unit ??= end
    core.pop()
  }
  return { full, core, unit }
}

/** Quantities have names in the plural, as the user has asked for them: `visitors`. A `floor` or `ticket` is a name. */
const isPlural = (field: string, asked: string): boolean => {
  const { core } = coreOf(field)
  const head = core.at(-1)?.plain ?? ''
  return head === asked || /[^s]s$|count$|anzahl$|zahl$/.test(head)
}

/** A number or a letter is a value only beside the name of its column; see `parse-query.ts`. */
function isName(value: readonly Word[], asked: readonly Word[]): boolean {
  if (value.every(({ plain }) => /^[\d.,-]+$|^.$/u.test(plain))) return false
  if (!value.every(({ plain }) => isFunctionWord(plain) || grammarWords.test(plain))) return true
  return asked.every(({ text }) => /^\p{Lu}{2,}$/u.test(text)) && value.every(({ text }) => /^\p{Lu}{2,}$/u.test(text))
}
