import { createWordComparison } from '../language/vocabulary.ts'
import { isFunctionWord, type Language, stemOf, type Word, wordsOf, wordsOfName } from '../language/words.ts'
import type { KnownSource } from '../tool-results.ts'
import { createRoleReader, isHeadcount, personNouns } from './column-roles.ts'
import { type CoreName, coreOf } from './core-name.ts'
import { participle } from './grammar.ts'
import { isCompoundOf, isHeadOf, isVerb, isVerbOf, minHeadLength, spellingsOf } from './source-names.ts'

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
  asked: readonly Word[],
  source: KnownSource,
  values: readonly KnownValue[],
  language: Language,
): { text: string; tags: Tag[] } {
  const words = asked.flatMap((word) => withoutPrefix(word, source, values))
  const candidates = spansOf(words)
    .flatMap(
      createTagger(source, values, { language, isDid: asked.some(({ plain }) => /^(?:do|does|did)$/.test(plain)) }),
    )
    .toSorted((a, b) => b.length - a.length || a.rank - b.rank || a.start - b.start)
  const chosen: Candidate[] = []
  for (const candidate of candidates)
    if (chosen.every((other) => endOf(candidate) <= other.start || endOf(other) <= candidate.start))
      chosen.push(candidate)
  const tags: Tag[] = []
  const parts: string[] = []
  const isPartOfName = createNamePartTest(source, language)
  const untagged = (at: number): string[] => {
    const { plain = '' } = words[at] ?? {}
    // `Parking fees` of parking sessions
    const isOfNumber = chosen.some((tag) => tag.letter === 'N' && (tag.start === at + 1 || endOf(tag) === at))
    return [isOfNumber && isPartOfName(plain) ? '·' : plain]
  }
  for (let at = 0; at < words.length; at++) {
    const tag = chosen.find(({ start }) => start === at)
    if (tag === undefined) parts.push(...untagged(at))
    else {
      const { letter, options, isExact } = tag
      const text = words.slice(at, endOf(tag)).map((word) => word.text)
      parts.push(`${letter}${tags.push({ letter, text: text.join(' '), options, isExact }) - 1}`)
      at = endOf(tag) - 1
    }
  }
  return { text: ` ${parts.join(' ')} `, tags }
}

/** Returns `without paid` for `unpaid`, where a column says what is paid and no value says `unpaid`. */
function withoutPrefix(word: Word, { fields }: KnownSource, values: readonly KnownValue[]): Word[] {
  const [, stated = ''] = /^un(\p{L}{4,})$/u.exec(word.plain) ?? []
  const isFlag = fields.some(
    ({ name, type }) =>
      (letterOf(name, type, values) === 'B' || participle.test(stated)) &&
      coreOf(name).core.length === 1 &&
      coreOf(name).core[0]?.plain === stated,
  )
  if (!isFlag || values.some(({ value }) => value.toLowerCase() === word.plain)) return [word]
  return [
    { text: 'without', plain: 'without' },
    { text: stated, plain: stated },
  ]
}

/** Returns a function that tells if a word is one of the name of a source, but not the last, which is what it has. */
function createNamePartTest(source: KnownSource, language: Language): (word: string) => boolean {
  const isSameWord = createWordComparison(language)
  const parts = wordsOfName(source.name).slice(0, -1)
  const compound = wordsOfName(source.name).at(-1)?.plain ?? ''
  return (word) =>
    parts.some(({ plain }) => isSameWord(plain, word)) ||
    (word.length >= minHeadLength - 1 && word !== compound && compound.startsWith(word))
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
function createTagger(
  source: KnownSource,
  values: readonly KnownValue[],
  { language, isDid }: { language: Language; isDid: boolean },
) {
  const isSameWord = createWordComparison(language)
  const names = wordsOfName(source.name).filter(({ plain }) => !genericNames.test(plain))
  const columns = source.fields.map(({ name, type }) => ({
    ...coreOf(name),
    letter: letterOf(name, type, values),
    option: { field: name, value: name },
  }))
  const roleOf = createRoleReader(source)
  // A booking that was cancelled is a record too, so `booked` says more than the records.
  const hasStates = source.fields.some(({ name }) =>
    /stat(?:e|us)|zustand|done|erledigt|cancel|storn|complet/i.test(name),
  )
  const valueWords = values.flatMap((known) =>
    spellingsOf(known.value).map((spelling) => ({ ...known, words: wordsOf(spelling) })),
  )
  return ({ start, words, before }: Span): Candidate[] => {
    const isSame = (names: readonly Word[]) =>
      names.length === words.length && names.every(({ plain }, at) => isSameWord(plain, words[at]?.plain ?? ''))
    const [word] = words
    if (word === undefined) return []
    const isWholeName = isSame(names) || isSame(names.slice(-1))
    const isSource = isWholeName || (words.length === 1 && isHeadOf(names.at(-1), word))
    const candidate = { start, length: words.length, isExact: false }
    const role = words.length === 1 ? roleOf(word.plain) : undefined
    // `Did we close any` names the column `closed_on`.
    const isAfterDid = language === 'en' && isDid
    // `450 kWh`, where two columns have the unit, names neither.
    const isSharedUnit =
      /^\d/.test(before?.plain ?? '') && columns.filter(({ unit }) => unit !== undefined && isSame([unit])).length > 1
    const columnsWhere = createColumnMatcher(columns, candidate, { isSource, word, before })
    const options = valueWords
      .filter((value) => isSame(value.words) && (isName(value.words, words) || isDirection(word, before)))
      // `How many people in Sales`, where a department is called `People`
      .filter(() => role === undefined || role.fields.length === 0 || !/^(?:many|viele)$/.test(before?.plain ?? ''))
      .map(({ field, value }) => ({ field, value }))
    return [
      ...(isSource ? [{ ...candidate, rank: 2, ...records }] : []),
      // A source `floors` with many records a floor: the word is the column.
      ...(isWholeName && !personNouns.test(word.plain)
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
          (!isFunctionWord(word.text) && isSame(core.slice(-1))) ||
          (unit !== undefined &&
            !isSharedUnit &&
            (isSame([unit]) || (unit.plain === 'min' && /^minute[ns]?$/.test(word.plain) && words.length === 1))),
      ),
      ...(role === undefined ? [] : columnsWhere(8, ({ option }) => role.fields.includes(option.field))),
      ...(role?.isOfRecords === true ? [{ ...candidate, rank: 8, ...records }] : []),
      // `Restrooms cleaned` of a cleaning log, `Stromverbrauch` of a column `Strom`
      ...(words.length === 1 && !hasStates && names.some((name) => isVerbOf(name, word, language))
        ? [{ ...candidate, rank: 9, ...records }]
        : []),
      ...columnsWhere(9, ({ core, letter }) => letter === 'N' && words.length === 1 && isCompoundOf(core, word, names)),
      // `hired` for `hire_date`
      ...columnsWhere(
        7,
        ({ core, letter }) =>
          letter === 'D' &&
          words.length === 1 &&
          (isVerb(word) || isAfterDid) &&
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
