import { isUnit } from '@wp/tabular'
import type { IntakeWarning } from '../raw-table.ts'

const typeWord =
  /^(?:#(?:datatype|group|default)|string|str|text|varchar|char|int(?:eger)?\d*|long|bigint|float\d*|double|decimal|numeric|bool(?:ean)?|datetime|timestamp|date ?time(?::rfc3339(?:nano)?)?|utc|dats|tims|quan|curr|numc|dec)$/i
const datePattern = /^(?=.*[dyhmtj])[dmyhstj]{1,4}(?:[ ./:-]+[dmyhstj]{1,4}){1,5}$/i
/** Words that name a column as well, and signs that also stand for no value. */
const wordOfUnit =
  /^(?:number|count|persons?|people|personen|anz(?:ahl|\.)|stk\.?|pers\.?|pax|fte|min|mins?|hours?|std\.?)$/i
const sign = /^[-–#n]?$/

/**
 * Returns true for a row of units or types below a header, such as `°C;ppm;persons`, `[h];[people]` or `text;number`.
 * Words that could name a column are units only beside others, or where a column with numbers or times has none.
 */
export function isUnitsRow(cells: readonly string[], typed: readonly { at: number }[]): boolean {
  const texts = cells.map((cell) => cell.trim().replace(/^in /, ''))
  if (texts[0] === '#datatype' || texts[0] === '#group' || texts[0] === '#default') return true
  const named = texts.filter((text) => !sign.test(text))
  if (named.length === 0) return false
  const [units, others] = [named.filter(isUnitOrType), named.filter((text) => !isUnitOrType(text))]
  if (!others.every((text) => wordOfUnit.test(text))) return false
  return units.length > 0 || typed.some(({ at }) => sign.test(texts[at] ?? ''))
}

const isUnitOrType = (text: string): boolean =>
  /^[[(].*[\])]$/.test(text) || typeWord.test(text) || datePattern.test(text) || isUnit(text)

/** Says that the row below the header is left out. */
export const skippedUnits = (line: number): IntakeWarning => ({
  code: 'skipped_units',
  message: `Line ${line} has the units or types of the columns, and is skipped`,
})
