import { splitCompounds } from '../language/normalize-question.ts'
import { type Word, wordsOfName } from '../language/words.ts'

/** Words at the end of a name that say nothing more, and units. */
const nameEndings = /^(?:on|at|date|time|id|name|no|nr|by|to|for|am|um|datum)$/
const unitWords =
  /^(?:percent|pct|prozent|eur|usd|chf|gbp|hours?|stunden|std|minuten|minutes|min|seconds|days|kg|km|c|ppm|kwh|kw|mwh|h|l|m|m2|m3|sqm|pieces|[%€$£])$/
export interface CoreName {
  full: Word[]
  core: Word[]
  unit: Word | undefined
}

/** Returns the words of the name of a column without `is`, `_on`, `_id` and units. */
export function coreOf(name: string): CoreName {
  const full = wordsOfName(splitCompounds(name))
  const core = /^(?:is|has)$/.test(full[0]?.plain ?? '') && full.length > 1 ? full.slice(1) : [...full]
  let unit: Word | undefined
  // The rate in `CO2 g/km` is neither a distance nor a weight.
  const isRate = /\p{L}\/\p{L}+\W*$/u.test(name) && core.length > 2
  if (isRate) core.splice(-2)
  while (core.length > 1) {
    const end = core.at(-1)
    if (end === undefined || !(nameEndings.test(end.plain) || unitWords.test(end.plain))) break
    if (unitWords.test(end.plain)) unit ??= end
    core.pop()
  }
  return { full, core, unit }
}
