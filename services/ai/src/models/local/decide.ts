import { aggregateInput, computedAnswer, recordsAnswer, recordsInput } from './computed-answer.ts'
import type { Decision } from './decision.ts'
import { answerFrom, describeRecord, rankRecords } from './extract-answer.ts'
import { searchQueryOf } from './language/matching.ts'
import { phrases } from './language/phrases.ts'
import { parseQuestion, type Question } from './language/question.ts'
import { namedCall } from './named-call.ts'
import { type Plan, planComputation } from './plan-computation.ts'
import { planForecast } from './plan-forecast.ts'
import { sourceScore } from './score-fields.ts'
import { type KnownSource, memberOf, recordsOf, sourcesOf, stringIn, type ToolOutcome } from './tool-results.ts'

interface Situation {
  question: string
  /** Names of the offered tools. */
  tools: ReadonlySet<string>
  /** The calls made for the question so far, in order. */
  outcomes: readonly ToolOutcome[]
}

/**
 * Decides the next step by fixed rules. They look at the words of the question, the names of columns and the values of
 * records; a text in the data is quoted at most, and never decides which tool is called.
 */
export function decide({ question: text, tools, outcomes }: Situation): Decision {
  const question = parseQuestion(text)
  const named = namedCall(text, tools)
  if (named !== undefined) return decideNamedCall(question, named, outcomes)
  const last = outcomes.at(-1)
  if (last?.failure !== undefined) return { answer: phrases[question.language].toolFailed(last.tool, last.failure) }
  if (isAboutSources(text) && tools.has('list_sources')) return decideSources(question, outcomes)
  const isNumeric = question.computation !== undefined || question.bounds.length > 0 || question.period !== undefined
  if (question.isForecast && tools.has('start_forecast') && tools.has('list_sources'))
    return planForecast(question, tools, outcomes) ?? decideText(question, tools, outcomes)
  if (isNumeric && tools.has('list_sources')) return decideNumeric(question, tools, outcomes)
  return decideText(question, tools, outcomes)
}

function decideNamedCall(
  { language }: Question,
  call: { tool: string; input: Record<string, unknown> },
  outcomes: readonly ToolOutcome[],
): Decision {
  const outcome = outcomes.find(({ tool }) => tool === call.tool)
  if (outcome === undefined) return call
  const say = phrases[language]
  if (outcome.failure !== undefined) return { answer: say.toolFailed(call.tool, outcome.failure) }
  if (call.tool === 'read_variable') {
    const [name, value] = [stringIn(outcome.output, 'name'), memberOf(outcome.output, 'value')]
    return { answer: value === undefined || value === null ? say.secret(name) : say.variable(name, String(value)) }
  }
  if (call.tool === 'read_record') {
    const [record] = recordsOf(outcome)
    if (record !== undefined) return { answer: `${describeRecord(record)} ${record.marker}` }
  }
  return { answer: say.toolAnswer(call.tool, JSON.stringify(outcome.output)?.slice(0, maxQuotedLength) ?? '') }
}

const maxQuotedLength = 1_500

const isAboutSources = (text: string): boolean =>
  /\b(?:which|what|list|show)\b.*\bdata ?sources\b|\b(?:welche|zeige|nenne)\b.*\bdatenquellen\b/i.test(text)

function decideSources({ language }: Question, outcomes: readonly ToolOutcome[]): Decision {
  const sources = sourcesOf(outcomes)
  if (sources === undefined) return { tool: 'list_sources', input: {} }
  const say = phrases[language]
  return {
    answer:
      sources.length === 0
        ? say.noSources
        : say.sources(sources.map(({ name, records }) => `${name} (${records})`).join(', ')),
  }
}

/** Lists the sources, looks for values that the question names, computes, and answers. */
function decideNumeric(question: Question, tools: ReadonlySet<string>, outcomes: readonly ToolOutcome[]): Decision {
  const sources = sourcesOf(outcomes)
  if (sources === undefined) return { tool: 'list_sources', input: {} }
  const searches = outcomes.filter(({ tool }) => tool === 'search_data')
  if (searches.length === 0 && tools.has('search_data') && question.words.length > 0)
    return linkingSearch(question, sources)
  const [search] = searches
  const records = search === undefined ? [] : recordsOf(search)
  const plan = planComputation(question, { sources, records, search })
  const isPossible = plan?.kind === 'records' ? tools.has('search_data') : tools.has('aggregate_records')
  if (plan === undefined || !isPossible) return decideText(question, tools, outcomes)
  return decidePlan(question, plan, outcomes)
}

function decidePlan(question: Question, plan: Plan, outcomes: readonly ToolOutcome[]): Decision {
  if (plan.kind === 'aggregate') {
    const computed = outcomes.find(({ tool }) => tool === 'aggregate_records')
    if (computed === undefined) return { tool: 'aggregate_records', input: aggregateInput(plan, question.count) }
    return { answer: computedAnswer(question, plan, computed.output) }
  }
  const [, listed] = outcomes.filter(({ tool }) => tool === 'search_data')
  if (listed === undefined) return { tool: 'search_data', input: recordsInput(plan, question.count) }
  return { answer: recordsAnswer(question, plan, recordsOf(listed)) }
}

const [linkingHits, textHits, maxFacets] = [20, 10, 10]

function linkingSearch(question: Question, sources: readonly KnownSource[]): Decision {
  const [best] = sources.toSorted((a, b) => sourceScore(b, question) - sourceScore(a, question))
  const facets =
    best?.fields
      .filter(({ type }) => type === 'string')
      .slice(0, maxFacets)
      .map(({ name }) => name) ?? []
  const input = { query: searchQueryOf(question.words), limit: linkingHits }
  return { tool: 'search_data', input: facets.length === 0 ? input : { ...input, facets } }
}

/** Searches, and answers with the words of the best records. */
function decideText(question: Question, tools: ReadonlySet<string>, outcomes: readonly ToolOutcome[]): Decision {
  const say = phrases[question.language]
  const search = outcomes.find(({ tool }) => tool === 'search_data')
  if (search === undefined) {
    if (!tools.has('search_data') || question.words.length === 0) return { answer: say.noAnswer }
    return { tool: 'search_data', input: { query: searchQueryOf(question.words), limit: textHits } }
  }
  const [best] = rankRecords(question, recordsOf(search))
  return { answer: best === undefined ? say.noAnswer : answerFrom(question, best) }
}
