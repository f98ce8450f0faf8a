import { createWordComparison } from '../../language/vocabulary.ts'
import { isFunctionWord, type Language, stemOf, type Word, wordsOf, wordsOfName } from '../../language/words.ts'
import type { KnownSource } from '../../tool-results.ts'
import { createRoleReader, isHeadcount, personNouns } from '../column-roles.ts'
import { type CoreName, coreOf } from '../core-name.ts'
import { expensive } from '../grammar.ts'
import {
  headOf,
  isCompoundOf,
  isDoneBy,
  isHeadOf,
  isName,
  isParticipleOf,
  isShortNameOf,
  isVerb,
  isVerbOf,
  spellingsOf,
} from './source-names.ts'
import { type KnownValue, letterOf, type Tag } from './tag.ts'

/** Words that say nothing about a source or a column, at the end of a name or, for columns, as units. */
const genericNames =
  /^(?:data|export|list|table|csv|xlsx|json|log|all|directory|register|overview|sheet|fleet|inventory|catalog|verzeichnis|liste|20\d\d|\d+)$/
/** A tag that some words of a question may have. */
export interface Candidate extends Omit<Tag, 'text'> {
  start: number
  length: number
  /** 0 wins. */
  rank: number
}

/** Words of a question, and the one before them. */
export interface Span {
  start: number
  words: readonly Word[]
  before: Word | undefined
}

/** Words before a number of the same name as the source: `the average occupancy`. */
const measuring = /^(?:average|mean|highest|lowest|maximum|minimum|max|min|durchschnitt\w*|hochste\w*|niedrigste\w*)$/

const records = { letter: 'S' as const, options: [{ field: '', value: '' }] }

/** Returns a function that returns what some words may be. */
export function createTagger(
  source: KnownSource,
  values: readonly KnownValue[],
  { language, isDid, isWho }: { language: Language; isDid: boolean; isWho: boolean },
) {
  const isSameWord = createWordComparison(language)
  const fullName = wordsOfName(source.name)
  const names = headOf(fullName.filter(({ plain }) => !genericNames.test(plain)))
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
    const isOne = words.length === 1
    const isWholeName = isSame(names) || isSame(names.slice(-1))
    // `In the fleet` of `Fleet vehicles`
    const isWhole = isOne && genericNames.test(word.plain) && fullName.some(({ plain }) => plain === word.plain)
    // `The cheapest month` of costs is no number of them.
    const isSource =
      (isWholeName || isWhole || (isOne && isHeadOf(names.at(-1), word))) &&
      !new RegExp(`^(?:${expensive})$`).test(word.plain)
    const candidate = { start, length: words.length, isExact: false }
    const role = isOne ? roleOf(word.plain, before?.plain) : undefined
    const columnsWhere = createColumnMatcher(columns, candidate, { isSource, word, before })
    const options = valueWords
      .filter((value) => isSame(value.words) && (isName(value.words, words) || isDirection(word, before)))
      // `How many people in Sales`, where a department is called `People`
      .filter(() => role === undefined || role.fields.length === 0 || !/^(?:many|viele)$/.test(before?.plain ?? ''))
      .map(({ field, value }) => ({ field, value }))
    // `Restrooms cleaned` of a cleaning log, `Stromverbrauch` of a column `Strom`
    const isVerbOfRecords = isOne && !hasStates && names.some((name) => isVerbOf(name, word, language))
    return [
      ...(isSource ? [{ ...candidate, rank: 2, ...records }] : []),
      // A source `floors` with many records a floor: the word is the column.
      ...(isWholeName && !personNouns.test(word.plain)
        ? columnsWhere(
            1,
            ({ core, letter, option }) => letter === 'X' && isSame(core) && hasRepeatedValue(option.field),
          )
        : []),
      ...(options.length === 0 ? [] : [{ ...candidate, rank: 4, letter: 'V' as const, options }]),
      ...columnsNamed({ words, word, before, isSame }, columnsWhere),
      ...(role === undefined ? [] : columnsWhere(8, ({ option }) => role.fields.includes(option.field))),
      ...(role?.isOfRecords === true ? [{ ...candidate, rank: 8, ...records }] : []),
      ...(isVerbOfRecords ? [{ ...candidate, rank: 9, ...records }] : []),
    ]
  }

  function hasRepeatedValue(name: string): boolean {
    return values.some(({ field, isRepeated }) => field === name && isRepeated === true)
  }

  function columnsNamed(
    { words, word, before, isSame }: Omit<Span, 'start'> & { word: Word; isSame: (names: readonly Word[]) => boolean },
    columnsWhere: ReturnType<typeof createColumnMatcher>,
  ): Candidate[] {
    const isOne = words.length === 1
    // `Did we close any` names the column `closed_on`.
    const isAfterDid = language === 'en' && isDid
    const isUnit = (unit: Word | undefined) =>
      unit !== undefined &&
      (isSame([unit]) ||
        (isOne &&
          ((unit.plain === 'min' && /^minute[ns]?$/.test(word.plain)) ||
            (unit.plain === 'h' && /^(?:hours?|stunden?)$/.test(word.plain)))))
    // `450 kWh`, where two columns have the unit, names neither.
    const isSharedUnit =
      /^\d/.test(before?.plain ?? '') && columns.filter(({ unit }) => unit && isSame([unit])).length > 1
    return [
      ...columnsWhere(3, ({ full }) => isSame(full) || (isOne && joinedName(full) === word.plain)),
      ...columnsWhere(5, ({ core }) => isSame(core)),
      ...columnsWhere(
        6,
        ({ core, unit }) => (!isFunctionWord(word.text) && isSame(core.slice(-1))) || (!isSharedUnit && isUnit(unit)),
      ),
      ...columnsWhere(9, ({ core, letter }) => letter === 'N' && isOne && isCompoundOf(core, word, names)),
      ...columnsWhere(9, ({ core, letter }) => letter === 'N' && isOne && isShortNameOf(core, word)),
      // `Who drives` of a column `Driver`
      ...columnsWhere(
        7,
        ({ core, letter }) => letter === 'X' && isOne && isWho && core.some((noun) => isDoneBy(noun, word, language)),
      ),
      // `Verbraucht` of a column `Verbrauch`
      ...columnsWhere(
        9,
        ({ core, letter }) => letter === 'N' && isOne && core.some((name) => isParticipleOf(name, word)),
      ),
      // `hired` for `hire_date`
      ...columnsWhere(
        7,
        ({ core, letter }) =>
          letter === 'D' &&
          isOne &&
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

/** `OrgEinheit`, whose parts are two words */
const joinedName = (words: readonly Word[]): string => words.map(({ plain }) => plain).join('')
