interface SchemaField {
  name: string
  type: string
}

/** The columns of a source that suit a forecast. */
export interface DetectedColumns {
  /** The most likely ones; empty if there is none. */
  time: string
  value: string
  groups: string[]
  /** All columns, the suitable ones first. */
  choices: { times: string[]; values: string[]; groups: string[] }
}

const timeName = /time|date|datum|zeit|^ts$|_at$/i
const idName = /(^|_)(id|key|uuid|url)$/i
/** Names of columns that divide counts of people. */
const groupName = /building|site|floor|area|zone|room|location|group|department|team|gebäude|etage/i

/** Detects the columns with times, values and groups by their types, then by their names. */
export function detectColumns(schema: readonly SchemaField[]): DetectedColumns {
  const ofType = (...types: string[]) => schema.filter(({ type }) => types.includes(type)).map(({ name }) => name)
  const [timestamps, numbers, texts] = [ofType('timestamp'), ofType('number'), ofType('string')]
  const time = [...timestamps, ...texts.filter((name) => timeName.test(name))][0] ?? ''
  const value = [...numbers.filter((name) => !idName.test(name) && !timeName.test(name)), ...numbers][0] ?? ''
  const first = (suitable: readonly string[]) => [
    ...suitable,
    ...schema.map(({ name }) => name).filter((name) => !suitable.includes(name)),
  ]
  const groupable = schema.map(({ name }) => name).filter((name) => name !== time && name !== value)
  return {
    time,
    value,
    groups: texts.filter((name) => name !== time && groupName.test(name)).slice(0, 1),
    choices: { times: first(timestamps), values: first(numbers), groups: groupable },
  }
}

/** Words of columns with people present, and of columns with people who arrive, as the service knows them. */
const levelName = /occupan|present|presence|utili[sz]ation|inside|headcount|belegung|anwesend|auslastung/i
const flowName =
  /arriv|departure|entr(?:y|ies|ance)|exits?\b|swipe|visits?\b|check.?ins?\b|zug[aä]nge|eintritte|ank[uü]nfte/i

/** Returns the kind of values that the name of a column states; empty if it states none, or both. */
export function detectMeasure(name: string): '' | 'level' | 'flow' {
  const [isLevel, isFlow] = [levelName.test(name), flowName.test(name)]
  if (isLevel === isFlow) return ''
  return isLevel ? 'level' : 'flow'
}
