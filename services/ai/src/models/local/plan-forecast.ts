import type { Decision } from './decision.ts'
import { phrases } from './language/phrases.ts'
import type { Question } from './language/question.ts'
import { mentionedFields, sourceScore } from './score-fields.ts'
import { arrayIn, type KnownSource, memberOf, sourcesOf, stringIn, type ToolOutcome } from './tool-results.ts'

const steps = { hour: 24, day: 14, week: 8 } as const

/** Starts a forecast of the mentioned number, reads it and answers; undefined if no source has times and numbers. */
export function planForecast(
  question: Question,
  tools: ReadonlySet<string>,
  outcomes: readonly ToolOutcome[],
): Decision | undefined {
  const sources = sourcesOf(outcomes)
  if (sources === undefined) return { tool: 'list_sources', input: {} }
  const started = outcomes.find(({ tool }) => tool === 'start_forecast')
  if (started === undefined) {
    const input = forecastInput(question, sources)
    return input && { tool: 'start_forecast', input }
  }
  const say = phrases[question.language]
  const read = outcomes.find(({ tool }) => tool === 'read_forecast')
  const id = stringIn(started.output, 'forecast_run_id')
  if (read === undefined)
    return tools.has('read_forecast')
      ? { tool: 'read_forecast', input: { forecast_run_id: id } }
      : { answer: `${say.forecastStarted} (${id})` }
  const error = memberOf(read.output, 'error')
  if (error !== undefined) return { answer: say.toolFailed('read_forecast', stringIn(error, 'message')) }
  const [series] = arrayIn(read.output, 'series')
  const [peak] = arrayIn(series, 'peaks')
  if (series === undefined || peak === undefined) return { answer: `${say.forecastStarted} (${id})` }
  const peakText = `${String(memberOf(peak, 'mean'))} (${stringIn(peak, 'ts').slice(0, 16)})`
  return {
    answer: `${say.forecast(String(memberOf(series, 'total')), Number(memberOf(series, 'points')), peakText)} (${id}).`,
  }
}

function forecastInput(question: Question, sources: readonly KnownSource[]): Record<string, unknown> | undefined {
  const suitable = sources
    .filter(
      ({ fields }) => fields.some(({ type }) => type === 'timestamp') && fields.some(({ type }) => type === 'number'),
    )
    .toSorted((a, b) => sourceScore(b, question) - sourceScore(a, question))
  const [source] = suitable
  if (source === undefined) return undefined
  const [mentioned] = mentionedFields(source, question.words, ['number'])
  const value = mentioned ?? source.fields.find(({ type }) => type === 'number')
  const time = source.fields.find(({ type }) => type === 'timestamp')
  if (value === undefined || time === undefined) return undefined
  const frequency = /\b(?:hour|hourly|stunde|stundlich)/i.test(question.text)
    ? 'hour'
    : /\b(?:week|weekly|woche|wochentlich)/i.test(question.text)
      ? 'week'
      : 'day'
  return {
    data_source_id: source.id,
    timestamp_field: time.name,
    value_field: value.name,
    frequency,
    horizon: steps[frequency],
  }
}
