import type { Measure } from '../../forecast/index.ts'

/** Words for what is there at a moment. */
const levelWords =
  /occupan|\bpresent\b|\bpresence\b|utili[sz]ation|\binside\b|\bheadcount\b|\btemperature\b|\bhumidity\b|\bco2\b|belegung|anwesend|auslastung|\btaux\b|présent|ocupaci/u
/** Words for what happened in an interval. */
const flowWords =
  /arriv|departure|\bentr(?:y|ies|ance|ances)\b|\bexits?\b|\bin count\b|\bout count\b|swipe|\bvisits?\b|check ?ins?\b|zugänge|eintritte|ankünfte|entrées/u

/** Returns the kind of values that the name of a column states; undefined if it states none, or both. */
export function measureOfName(name: string): Measure | undefined {
  const words = name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
  const [isLevel, isFlow] = [levelWords.test(words), flowWords.test(words)]
  if (isLevel === isFlow) return undefined
  return isLevel ? 'level' : 'flow'
}
