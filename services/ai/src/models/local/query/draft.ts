import { nearestName } from '@wp/contracts'
import { type Phrases, phrases } from '../language/phrases.ts'
import { fold, type Language, wordsOf } from '../language/words.ts'
import type { KnownSource } from '../tool-results.ts'
import { hourWords, startColumn } from './column-roles.ts'
import { coreOf } from './core-name.ts'
import { isFiller, usage } from './grammar.ts'
import { minutesOfColumn } from './quantities.ts'
import { type Condition, type Filters, type Query, Refusal } from './query.ts'
import { isDoneBy } from './tags/source-names.ts'
import { type KnownValue, type Tag, yesOf } from './tags/tag.ts'
import type { TimeRange } from './times/periods.ts'
import type { Recurrence } from './times/recurrences.ts'

/** Marks a word that is used. */
const used = '·'
/** Shorter words are near too many others. */
const minMisspelt = 4
/** Names that a refusal suggests for one word. */
const maxMeant = 3

/** A question that is being read. Each part that is understood is taken out of its text. */
export class Draft {
  text: string
  readonly source: KnownSource
  readonly say: Phrases
  readonly language: Language
  readonly filters: Filters = {}
  readonly partFilters: Filters = {}
  readonly unresolved: Query['unresolved'] = []
  recurring: Query['recurring']
  readonly missing: string[] = []
  /** The number of a question that names none: the only duration of `how long`. */
  impliedNumber: string | undefined
  /** True if days of the week are left out. */
  isExcept = false
  /** True for `still here`, of records that say when they end. */
  isStillThere = false
  /** True for `swipes per day on average`. */
  isAverageCount = false
  readonly #tags: readonly Tag[]
  readonly #values: readonly KnownValue[]
  readonly ranges: TimeRange[]
  readonly recurrences: Recurrence[]

  constructor(
    text: string,
    more: {
      tags: readonly Tag[]
      values: readonly KnownValue[]
      ranges: readonly TimeRange[]
      recurrences: readonly Recurrence[]
      source: KnownSource
      language: Language
    },
  ) {
    this.text = text
    this.#tags = more.tags
    this.#values = more.values
    this.ranges = [...more.ranges]
    this.recurrences = [...more.recurrences]
    this.source = more.source
    this.language = more.language
    this.say = phrases[more.language]
  }

  /** Returns the first match of whole words, without taking it. */
  find(pattern: string): RegExpExecArray | undefined {
    return new RegExp(`(?<= )(?:${pattern})(?= )`, 'u').exec(this.text) ?? undefined
  }

  /** Takes the first match of whole words. */
  take(pattern: string, replacement = used): RegExpExecArray | undefined {
    const found = this.find(pattern)
    if (found !== undefined)
      this.text =
        this.text.slice(0, found.index) +
        replacement.replace('$1', found[1] ?? '') +
        this.text.slice(found.index + found[0].length)
    return found
  }

  /** Returns the tags of these letters that are left, in order. */
  left(letters: string): string[] {
    return [...this.text.matchAll(new RegExp(String.raw`(?<= )[${letters}]\d+(?= )`, 'g'))].map(([tag]) => tag)
  }

  tag(name: string): Tag {
    const tag = this.#tags[Number(name.slice(1))]
    if (tag === undefined) throw new RangeError(`no tag ${name}`)
    return tag
  }

  /** Returns true for `hours` of a column of minutes. */
  isInHours(): boolean {
    return this.#tags.some(
      ({ letter, text, options: [only] }) =>
        letter === 'N' && hourWords.test(text) && minutesOfColumn(only?.field ?? '') === 1,
    )
  }

  /** Returns the pattern of the verbs of using something, also where a column of times is named so: `Booked on`. */
  get usage(): string {
    return [usage, ...this.left('D').filter((name) => this.isUsage(name))].join('|')
  }

  isUsage(name: string): boolean {
    return new RegExp(`^(?:${usage})$`, 'i').test(this.tag(name).text)
  }

  /** Takes the verb of `who reported most`. Returns the column of those who did it: `Reporter`. */
  takeDoer(): string | undefined {
    if (this.find('who|wer') === undefined) return undefined
    const doers = this.fieldsOfType('string').map((field) => ({ field, words: coreOf(field).core }))
    for (const [at, { text, letter }] of this.#tags.entries()) {
      const [verb] = wordsOf(text)
      if (verb === undefined || !/[DX]/.test(letter)) continue
      const [doer, other] = doers.filter(({ words }) => words.some((noun) => isDoneBy(noun, verb, this.language)))
      if (doer === undefined || other !== undefined) continue
      this.take(`${letter}${at}`)
      return doer.field
    }
    return undefined
  }

  /** Returns the column that a tag means. @throws Refusal if it may mean several */
  field(name: string): string {
    const { text, options } = this.tag(name)
    const [first, second] = options
    if (first === undefined || second !== undefined)
      throw this.ambiguous(
        text,
        options.map(({ field }) => field),
      )
    return first.field
  }

  /** Takes the number that the question names; undefined if it names none. @throws Refusal if it names several */
  takeNumber(): string | undefined {
    const fields = this.left('N').map((name) => this.field(name))
    if (new Set(fields).size > 1) throw this.ambiguous(this.say.number, fields)
    const [name] = this.left('N')
    if (name !== undefined) this.take(name)
    return fields[0] ?? this.impliedNumber
  }

  /**
   * Takes the column of times that the question names, or that is the only one, or the one at which records begin.
   * @param isOfAge true for `oldest`, which counts from the beginning also of what lasts, such as an employment
   * @throws Refusal if there is none
   */
  takeTime(isOfAge = false): string {
    const [named] = this.left('D')
    if (named !== undefined) {
      this.take(named)
      return this.field(named)
    }
    const times = this.fieldsOfType('timestamp')
    const [only, other] = times
    if (only === undefined) throw new Refusal(this.say.noTime(this.source.name), 1)
    if (other === undefined) return only
    const start = startColumn(times, isOfAge)
    if (start === undefined) throw this.ambiguous(this.say.time, times)
    return start
  }

  fieldsOfType(type: string): string[] {
    return this.source.fields.filter((field) => field.type === type).map(({ name }) => name)
  }

  /** Returns the condition of a yes or no. A column of texts is compared with that for yes. */
  flag(field: string, isTrue: boolean): Condition {
    const yes = yesOf(field, this.#values)
    if (yes === undefined) return isTrue
    return isTrue ? yes : { not: yes }
  }

  /** Adds a condition. Of a share, one after the verb belongs to the part: `share of tickets that are open`. */
  addFilter(field: string, condition: Condition, position: number): void {
    const [verb, whole] = [this.text.search(/ BE /), this.text.search(/ WHOLE /)]
    const isOfPart = (verb !== -1 && position > verb) || position < whole
    const filters = isOfPart ? this.partFilters : this.filters
    const earlier = filters[field]
    const isRange = (value: Condition | undefined): value is Extract<Condition, object> =>
      typeof value === 'object' && Object.keys(value).every((key) => /^[gl]te?$/.test(key))
    if (earlier === undefined) filters[field] = condition
    else if (
      isRange(earlier) &&
      isRange(condition) &&
      !Object.keys(condition).some((key) => Object.hasOwn(earlier, key))
    )
      filters[field] = { ...earlier, ...condition }
    else throw new Refusal(this.say.twoConditions(field))
  }

  /** Returns words that are no part of the question yet, and change its answer. */
  unusedWords(): string[] {
    return this.text
      .trim()
      .split(' ')
      .filter((word) => !/^[A-Z]+\d*$/.test(word) && !isFiller(word))
  }

  /** Returns the refusal of a computation without a number, with the words that may have meant one. */
  noNumber(): Refusal {
    const unused = this.unusedWords()
    if (unused.length > 0) return this.unknown(unused)
    return new Refusal(this.say.noNumber(this.source.name, this.fieldsOfType('number')))
  }

  /** Returns the refusal of words that fit nothing. It says which columns and values are spelled alike. */
  unknown(words: readonly string[], more: readonly string[] = []): Refusal {
    const known = [
      this.source.name,
      ...this.source.name.split(' ').slice(-1),
      ...this.source.fields.map(({ name }) => name),
      ...this.#values.map(({ value }) => value),
    ]
    const meant = words
      .flatMap((word) => (word.length < minMisspelt ? [] : (nearestName(word, known) ?? this.#valuesWith(word))))
      .filter((name) => !words.includes(name.toLowerCase()))
    const reasons = [this.say.unknown(words), ...(meant.length > 0 ? [this.say.didYouMean(meant)] : []), ...more]
    return new Refusal(reasons.join(' '), words.length)
  }

  /** Returns the values of several words that have this one: `Branch Cologne`. */
  #valuesWith(word: string): string[] {
    const values = this.#values.map(({ value }) => value)
    return values.filter((value) => wordsOf(value).some(({ plain }) => plain === fold(word))).slice(0, maxMeant)
  }

  /** Returns the refusal of words or tags that fixed rules cannot compute. */
  inexpressible(text: string): Refusal {
    const asked = text.replaceAll(
      /(?<![^ ])[A-Z]\d+(?![^ ])/g,
      (name) => this.#tags[Number(name.slice(1))]?.text ?? name,
    )
    return new Refusal(this.say.inexpressible(asked))
  }

  ambiguous(text: string, readings: readonly string[]): Refusal {
    return new Refusal(this.say.ambiguous(text, [...new Set(readings)]))
  }
}
