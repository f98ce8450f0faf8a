import { createWordComparison } from '../language/vocabulary.ts'
import { isFunctionWord, type Language, stemOf, type Word, wordsOf, wordsOfName } from '../language/words.ts'
import type { KnownSource } from '../tool-results.ts'
import { createRoleReader, isHeadcount } from './column-roles.ts'
import { type CoreName, coreOf } from './core-name.ts'

/** A value that a field has, as it is in the data. */
export interface KnownValue {
  field: string
  value: string
  /** True if several records have it. */
  isRepeated?: boolean
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

/** Returns the letter of a column. One with texts for yes and no is a boolean. */
const letterOf = (name: string, type: string, values: readonly KnownValue[]): Tag['letter'] =>
  type === 'string' && yesOf(name, values) !== undefined ? 'B' : (letters[type] ?? 'X')

/** Returns the text for yes of a column that has no other texts than that and one for no. */
export function yesOf(name: string, values: readonly KnownValue[]): string | undefined {
  const texts = values.filter(({ field }) => field === name).map(({ value }) => value)
  const [yes, no] = [/^(?:yes|y|ja|j|true|x)$/i, /^(?:no|n|nein|false)$/i].map((pattern) =>
    texts.filter((text) => pattern.test(text)),
  )
  return yes?.length === 1 && texts.length === 1 + (no?.length ?? 0) ? yes[0] : undefined
}

/** Words that say nothing about a source or a column, at the end of a name or, for columns, as units. */
const genericNames =
  /^(?:data|export|list|table|csv|xlsx|json|log|all|directory|register|overview|sheet|fleet|inventory|catalog|verzeichnis|liste|20\d\d|\d+)$/
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
  const candidates = spansOf(words)
    .flatMap(createTagger(source, values, language))
    .toSorted((a, b) => b.length - a.length || a.rank - b.rank || a.start - b.start)
  const chosen: Candidate[] = []
  for (const candidate of candidates)
    if (chosen.every((other) => endOf(candidate) <= other.start || endOf(other) <= candidate.start))
      chosen.push(candidate)
  const tags: Tag[] = []
  const parts: string[] = []
  for (let at = 0; at < words.length; at++) {
    const tag = chosen.find(({ start }) => start === at)
    if (tag === undefined) parts.push(words[at]?.plain ?? '')
    else {
      const { letter, options, isExact } = tag
      const text = words.slice(at, endOf(tag)).map((word) => word.text)
      parts.push(`${letter}${tags.push({ letter, text: text.join(' '), options, isExact }) - 1}`)
      at = endOf(tag) - 1
    }
  }
  return { text: ` ${parts.join(' ')} `, tags }
}

/** `OrgEinheit`, whose parts are two words */
const joinedName = (words: readonly Word[]): string => words.map(({ plain }) => plain).join('')

const endOf = ({ start, length }: Candidate): number => start + length

interface Span {
  start: number
  words: readonly Word[]
  before: Word | undefined
}

const spansOf = (words: readonly Word[]): Span[] =>
  words.flatMap((_word, start) =>
    Array.from({ length: Math.min(maxSpan, words.length - start) }, (_, more) => ({
      start,
      words: words.slice(start, start + more + 1),
      before: words[start - 1],
    })),
  )

/** Words before a number of the same name as the source: `the average occupancy`. */
const measuring = /^(?:average|mean|highest|lowest|maximum|minimum|max|min|durchschnitt\w*|hochste\w*|niedrigste\w*)$/

const records = { letter: 'S' as const, options: [{ field: '', value: '' }] }

/** Returns a function that returns what some words may be. */
function createTagger(source: KnownSource, values: readonly KnownValue[], language: Language) {
  const isSameWord = createWordComparison(language)
  const names = wordsOfName(source.name).filter(({ plain }) => !genericNames.test(plain))
  const columns = source.fields.map(({ name, type }) => ({
    ...coreOf(name),
    letter: letterOf(name, type, values),
    option: { field: name, value: name },
  }))
  const roleOf = createRoleReader(source)
  const valueWords = values.map((known) => ({ ...known, words: wordsOf(known.value) }))
  return ({ start, words, before }: Span): Candidate[] => {
    const isSame = (names: readonly Word[]) =>
      names.length === words.length && names.every(({ plain }, at) => isSameWord(plain, words[at]?.plain ?? ''))
    const [word] = words
    if (word === undefined) return []
    const isSource = isSame(names) || isSame(names.slice(-1))
    const candidate = { start, length: words.length, isExact: false }
    const role = words.length === 1 ? roleOf(word.plain) : undefined
    const columnsWhere = createColumnMatcher(columns, candidate, { isSource, word, before })
    const options = valueWords
      .filter((value) => isSame(value.words) && (isName(value.words, words) || isDirection(word, before)))
      // `How many people in Sales`, where a department is called `People`
      .filter(() => role === undefined || role.fields.length === 0 || !/^(?:many|viele)$/.test(before?.plain ?? ''))
      .map(({ field, value }) => ({ field, value }))
    return [
      ...(isSource ? [{ ...candidate, rank: 2, ...records }] : []),
      // A source `floors` with many records a floor: the word is the column.
      ...(isSource
        ? columnsWhere(
            1,
            ({ core, letter, option }) =>
              letter === 'X' &&
              isSame(core) &&
              values.some(({ field, isRepeated }) => field === option.field && isRepeated === true),
          )
        : []),
      ...columnsWhere(3, ({ full }) => isSame(full) || (words.length === 1 && joinedName(full) === word.plain)),
      ...(options.length === 0 ? [] : [{ ...candidate, rank: 4, letter: 'V' as const, options }]),
      ...columnsWhere(5, ({ core }) => isSame(core)),
      ...columnsWhere(
        6,
        ({ core, unit }) =>
          (!isFunctionWord(word.text) && isSame(core.slice(-1))) || (unit !== undefined && isSame([unit])),
      ),
      ...(role === undefined ? [] : columnsWhere(8, ({ option }) => role.fields.includes(option.field))),
      ...(role?.isOfRecords === true ? [{ ...candidate, rank: 8, ...records }] : []),
      // `hired` for `hire_date`
      ...columnsWhere(
        7,
        ({ core, letter }) =>
          letter === 'D' &&
          words.length === 1 &&
          isVerb(word) &&
          core.some(({ plain }) => stemOf(plain) === stemOf(word.plain)),
      ),
    ]
  }
}

interface Column extends CoreName {
  letter: Tag['letter']
  option: KnownValue
}

/** Returns a function that returns some words as the columns that match. */
const createColumnMatcher =
  (
    columns: readonly Column[],
    candidate: Pick<Candidate, 'start' | 'length'>,
    { isSource, word, before }: { isSource: boolean; word: Word; before: Word | undefined },
  ) =>
  (rank: number, matches: (column: Column) => boolean): Candidate[] => {
    const found = columns.filter(matches)
    const [first, ...others] = found
    if (first === undefined) return []
    const letter = others.every((other) => other.letter === first.letter) ? first.letter : 'X'
    const isNumber = letter === 'N' && others.length === 0
    const isExact =
      isNumber &&
      (isPlural(first.core) ||
        isHeadcount(first.option.field) ||
        (!isSource && first.core.at(-1)?.plain === word.plain))
    // `visitors` of a source and a column `visitors` are the numbers; `tickets` of a column `ticket` are the records.
    const isFirst = isExact || (isNumber && measuring.test(before?.plain ?? ''))
    return [{ ...candidate, rank: isFirst ? 1 : rank, letter, options: found.map(({ option }) => option), isExact }]
  }

const isVerb = ({ plain }: Word): boolean => /(?:ed|s|ing)$/.test(plain) && plain.length > 4

/** Quantities have names in the plural: `visitors`. A `floor` or `ticket` is a name. */
const isPlural = (core: readonly Word[]): boolean => /[^s]s$|count$|anzahl$|zahl$/.test(core.at(-1)?.plain ?? '')

/** Returns true for `in` of `came in`, which is a value where a column says the direction. */
const isDirection = ({ plain }: Word, before: Word | undefined): boolean =>
  /^(?:in|out)$/.test(plain) && directed.test(before?.plain ?? '')
const directed = /^(?:c[ao]m(?:e|es|ing)|went|go(?:es|ing)?|walk(?:s|ed)|badg(?:e|es|ed)|check(?:s|ed)|clock(?:s|ed))$/

/** A number or a letter is a value only beside the name of its column; see `parse-query.ts`. */
function isName(value: readonly Word[], asked: readonly Word[]): boolean {
  if (value.length > 1) return true
  if (value.every(({ plain }) => /^[\d.,-]+$|^.$/u.test(plain))) return false
  if (!value.every(({ plain }) => isFunctionWord(plain) || grammarWords.test(plain))) return true
  return asked.every(({ text }) => /^\p{Lu}{2,}$/u.test(text)) && value.every(({ text }) => /^\p{Lu}{2,}$/u.test(text))
}
