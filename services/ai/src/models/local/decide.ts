import { answerParts, partsOf } from './answers/answer-parts.ts'
import { answerQuery } from './answers/answer-query.ts'
import { type AnswerSteps, CallFailure, call, type Decision, nextDecision, type Steps } from './answers/answer-steps.ts'
import { queryOf, readSources } from './answers/answer-tables.ts'
import { describeRecord } from './answers/describe-record.ts'
import { normalizeQuestion } from './language/normalize-question.ts'
import { phrases } from './language/phrases.ts'
import { inEnglish } from './language/romance.ts'
import { languageOf, type Word, wordsOf } from './language/words.ts'
import { isForecast, planForecast } from './plan-forecast.ts'
import { isFollowUp } from './query/follow-ups.ts'
import { Refusal } from './query/query.ts'
import { contentWords } from './texts/find-passage.ts'
import { passageText, ranksAs, reasonOf, searchPassage } from './texts/search-passage.ts'
import { memberOf, recordsOf, sourcesOf, stringIn, type ToolOutcome } from './tool-results.ts'

interface Situation {
  question: string
  /** The questions before, the oldest first. */
  earlier: readonly string[]
  /** Names of the offered tools. */
  tools: ReadonlySet<string>
  /** The calls made for the question so far, in order. */
  outcomes: readonly ToolOutcome[]
  today: Date
}

/**
 * Decides the next step by fixed rules. They look at the words of the question, the names of columns and the values of
 * records; a text in the data is quoted at most, and never decides which tool is called.
 */
export function decide({ question: asked, earlier: before, tools, outcomes, today }: Situation): Decision {
  const [question, earlier] = [inEnglish(asked), before.map(inEnglish)]
  const say = phrases[languageOf(question)]
  try {
    return nextDecision(answerSteps(question, { earlier, tools, today }), outcomes)
  } catch (error) {
    if (error instanceof CallFailure) return { answer: say.toolFailed(error.tool, error.message) }
    if (error instanceof Refusal) return { answer: refusalText(say.noAnswer, error.message) }
    throw error
  }
}

const refusalText = (noAnswer: string, reason: string): string =>
  reason === '' ? noAnswer : `${noAnswer.replace(/\.$/, '')}: ${reason}`

function* answerSteps(
  question: string,
  { earlier, tools, today }: Pick<Situation, 'earlier' | 'tools' | 'today'>,
): AnswerSteps {
  const language = languageOf(question)
  const say = phrases[language]
  const named = namedCall(question, tools)
  if (named !== undefined) return yield* answerNamedCall(named, say)
  if (isAboutSources(question) && tools.has('list_sources')) {
    const sources = sourcesOf(yield* call('list_sources', {}))
    return sources.length === 0
      ? say.noSources
      : say.sources(sources.map(({ name, records }) => `${name} (${records})`).join(', '))
  }
  const turns = turnsOf([...earlier, question])
  const words = turns.flat()
  const asked = { words, turns, language, today, say }
  if (isForecast(question) && tools.has('start_forecast') && tools.has('list_sources'))
    return yield* planForecast(asked, tools)
  if (words.length === 0) return say.noAnswer
  const isTable = turns.length > 1 || tablePattern.test(words.map(({ plain }) => plain).join(' '))
  const passage = isTable ? undefined : yield* searchPassage(words, tools)
  if (passage?.missing.length === 0 && ranksAs(passage, words)) return passageText(passage, say)
  if (!tools.has('list_sources')) throw new Refusal(reasonOf(passage, words, say))
  const readings = yield* readSources(sourcesOf(yield* call('list_sources', {})), asked, tools)
  const parts = turns.length === 1 ? partsOf(question) : undefined
  try {
    // Conditions of one question must not become those of another.
    if (parts?.isComparison === false) return yield* answerParts(parts, readings, asked)
    const query = queryOf(readings, asked)
    if (!tools.has(query.form === 'records' ? 'search_data' : 'aggregate_records')) return say.noAnswer
    return yield* answerQuery(query, say)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const answered = parts?.isComparison && (yield* withoutRefusal(answerParts(parts, readings, asked)))
    if (typeof answered === 'string') return answered
    const found = passage ?? (yield* searchPassage(words, tools))
    const isNamed = readings.some((reading) => reading.isNamed)
    const isAnswer =
      found?.missing.length === 0 && ranksAs(found, words) && (!isNamed || /how |wie ?viel/i.test(question))
    if (isAnswer) return passageText(found, say)
    const unused = found?.missing.length ?? contentWords(words).length
    const isAboutTable = isNamed || (readings.some(({ tags }) => tags > 0) && error.unused <= unused)
    throw isAboutTable ? error : new Refusal(reasonOf(found, words, say))
  }
}

/** Runs steps; undefined if they refuse. */
function* withoutRefusal(steps: AnswerSteps): Steps<string | undefined> {
  try {
    return yield* steps
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** Returns the words of the last complete question, and of those that followed it. */
function turnsOf(questions: readonly string[]): Word[][] {
  const turns = questions.map((question) => wordsOf(normalizeQuestion(question)))
  const isComplete = (words: readonly Word[]) => !isFollowUp(`${words.map(({ plain }) => plain).join(' ')} `)
  const first = turns.findLastIndex(isComplete)
  return turns.slice(first < 0 ? -1 : first)
}

/** A question with one of these words is about records of a table, unless no table has what it asks for. */
const tablePattern =
  /\b(?:how many|number of|count|average|mean|total|sum|share|percent\w*|proportion|most|least|fewest|highest|lowest|latest|which|list|show|top|per|more than|less than|fewer|over \d|under \d|between|overdue|20\d\d|welche\w*|wie ?viele|anzahl|durchschnitt\w*|summe|anteil|insgesamt|meiste\w*|hochste\w*|niedrigste\w*|zeige?|nenne|pro|je|mehr als|weniger als)\b/

const maxQuotedLength = 1_500

function* answerNamedCall(
  { tool, input }: { tool: string; input: Record<string, unknown> },
  say: (typeof phrases)['en'],
): AnswerSteps {
  const outcome = yield* call(tool, input)
  if (tool === 'read_variable') {
    const [name, value] = [stringIn(outcome.output, 'name'), memberOf(outcome.output, 'value')]
    return value === undefined || value === null ? say.secret(name) : say.variable(name, String(value))
  }
  const [record] = tool === 'read_record' ? recordsOf(outcome) : []
  if (record !== undefined) return `${describeRecord(record)} ${record.marker}`
  return say.toolAnswer(tool, JSON.stringify(outcome.output)?.slice(0, maxQuotedLength) ?? '')
}

const isAboutSources = (text: string): boolean =>
  /^\W*(?:which|what|list|show)\b.{0,20}\bdata ?sources\b.{0,20}$|^\W*(?:welche|zeige|nenne)\b.{0,20}\bdatenquellen\b.{0,20}$/i.test(
    text,
  )

/** A tool call that the user spells out. */
interface NamedCall {
  tool: string
  input: Record<string, unknown>
}

/**
 * Returns the call that the user names: an offered tool with a JSON object (`use crm_lookup {"id": 7}`), a variable by
 * its name (`REPORT_CURRENCY`), or a record by its identifier.
 */
function namedCall(text: string, tools: ReadonlySet<string>): NamedCall | undefined {
  const tool = [...tools].find((name) => new RegExp(String.raw`(?<![\w-])${name}(?![\w-])`).test(text))
  const input = tool === undefined ? undefined : objectIn(text)
  if (tool !== undefined && input !== undefined) return { tool, input }
  const [variable] = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/.exec(text) ?? []
  if (variable !== undefined && tools.has('read_variable')) return { tool: 'read_variable', input: { name: variable } }
  const [record] = /\brec_[0-9a-z]{26}\b/.exec(text) ?? []
  if (record !== undefined && tools.has('read_record')) return { tool: 'read_record', input: { record_id: record } }
  return undefined
}

/** Returns the JSON object in a text. */
function objectIn(text: string): Record<string, unknown> | undefined {
  const [start, end] = [text.indexOf('{'), text.lastIndexOf('}')]
  if (start === -1 || end < start) return undefined
  try {
    const value: unknown = JSON.parse(text.slice(start, end + 1))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}
