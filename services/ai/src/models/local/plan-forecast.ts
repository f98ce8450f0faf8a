import { type AnswerSteps, call } from './answers/answer-steps.ts'
import type { Phrases } from './language/phrases.ts'
import type { Language, Word } from './language/words.ts'
import { isFiller } from './query/grammar.ts'
import { Refusal } from './query/query.ts'
import type { Tag } from './query/tags/tag.ts'
import { tagWords } from './query/tags/tag-words.ts'
import { arrayIn, type KnownSource, memberOf, sourcesOf, stringIn } from './tool-results.ts'

const steps = { hour: 24, day: 14, week: 8 } as const
type Frequency = keyof typeof steps

const forecastWord = /^(?:forecast\w*|predict\w*|prognos\w*|vorhersage\w*)$/i
/** Returns true if a question asks for a forecast. */
export const isForecast = (text: string): boolean => /\b(?:forecast|predict|prognos|vorhersage)/i.test(text)

const frequencies: [Frequency, string][] = [
  ['hour', 'hours?|hourly|stunden?|stundlich'],
  ['week', 'weeks?|weekly|wochen?|wochentlich'],
  ['day', 'days?|daily|tage?|tagen|taglich'],
]
const next = '(?:next|coming|nachste[nmrs]?|kommende[nmrs]?)'

/** Starts a forecast of the number that the question names, and reads it. @throws Refusal for a word too many */
export function* planForecast(
  asked: { words: readonly Word[]; language: Language; say: Phrases },
  tools: ReadonlySet<string>,
): AnswerSteps {
  const { say } = asked
  const sources = sourcesOf(yield* call('list_sources', {}))
  const started = yield* call('start_forecast', forecastInput(asked, sources))
  const id = stringIn(started.output, 'forecast_run_id')
  if (!tools.has('read_forecast')) return `${say.forecastStarted} (${id})`
  const { output } = yield* call('read_forecast', { forecast_run_id: id })
  const error = memberOf(output, 'error')
  if (error !== undefined) return say.toolFailed('read_forecast', stringIn(error, 'message'))
  const [series] = arrayIn(output, 'series')
  const [peak] = arrayIn(series, 'peaks')
  if (series === undefined || peak === undefined) return `${say.forecastStarted} (${id})`
  const peakText = `${String(memberOf(peak, 'mean'))} (${stringIn(peak, 'ts').slice(0, 16)})`
  return `${say.forecast(String(memberOf(series, 'total')), Number(memberOf(series, 'points')), peakText)} (${id}).`
}

function forecastInput(
  { words, language, say }: { words: readonly Word[]; language: Language; say: Phrases },
  sources: readonly KnownSource[],
): Record<string, unknown> {
  const [best] = sources
    .map((source) => ({ source, ...tagWords(words, source, [], language) }))
    .filter(
      ({ source }) =>
        source.fields.some(({ type }) => type === 'timestamp') && source.fields.some(({ type }) => type === 'number'),
    )
    .toSorted((a, b) => b.tags.length - a.tags.length)
  if (best === undefined) throw new Refusal('')
  const { source, tags } = best
  // A column `day` is also the word of `the next days`.
  let rest = best.text.replaceAll(
    /(?<= )D(\d+)(?= )/g,
    (tag, at: string) => tags[Number(at)]?.text.toLowerCase() ?? tag,
  )
  const [frequency = 'day', pattern = ''] =
    frequencies.find(([, words]) => new RegExp(` (?:${words}) `).test(rest)) ?? []
  const horizon = Number(new RegExp(` ${next} (\\d{1,3}) (?:${pattern}) `).exec(rest)?.[1] ?? steps[frequency])
  rest = rest.replace(new RegExp(` (?:(?:${next} (?:\\d{1,3} )?|by |per |pro )?(?:${pattern}) )`), ' ')
  const numbers = tags.filter(({ letter }) => letter === 'N')
  const fields = source.fields.filter(({ type }) => type === 'number').map(({ name }) => name)
  const value = numbers[0]?.options[0]?.field ?? (fields.length === 1 ? fields[0] : undefined)
  const times = source.fields.filter(({ type }) => type === 'timestamp')
  const [time] = times
  const left = rest
    .trim()
    .split(' ')
    .filter((word) => !forecastWord.test(word) && !isUsed(word, tags) && !isFiller(word))
  if (left.length > 0)
    throw new Refusal(say.unknown(left.map((word) => tags[Number(word.slice(1))]?.text ?? word)), left.length)
  if (value === undefined || numbers.length > 1) throw new Refusal(say.noNumber(source.name, fields))
  if (time === undefined || times.length > 1)
    throw new Refusal(
      say.ambiguous(
        say.time,
        times.map(({ name }) => name),
      ),
    )
  return { data_source_id: source.id, timestamp_field: time.name, value_field: value, frequency, horizon }
}

const isUsed = (word: string, tags: readonly Tag[]): boolean =>
  /^[SN]\d+$/.test(word) && tags[Number(word.slice(1))]?.options.length === 1
