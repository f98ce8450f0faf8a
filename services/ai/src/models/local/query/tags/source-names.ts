import { fold, formsOf, type Language, stemOf, type Word } from '../../language/words.ts'

/** Returns true for a word that may be a form of a verb. */
export const isVerb = ({ plain }: Word): boolean => /(?:ed|s|ing)$/.test(plain) && plain.length > 4

/** Returns true for `cleaned` of cleanings, `gebucht` of `Raumbuchungen` and `arbeitet` of `Mitarbeiter`. */
export function isVerbOf({ plain: noun }: Word, word: Word, language: Language): boolean {
  if (language === 'en') return word.plain.endsWith('ed') && stemOf(noun).replace(/[eo]r$/, '') === stemOf(word.plain)
  const [, verb = ''] = /^(?:ge)?(\p{L}{4,}?)(?:t|et|en|te|ten)$/u.exec(word.plain) ?? []
  return verb !== '' && stemOf(noun).endsWith(verb)
}

/** Words that a compound adds to the name of a quantity. */
const quantityNouns = /^s?(?:verbrauch|menge|wert|betrag|zahl|hohe|kosten|gebuhr|gebuhren|stand)s?$/

/** Returns true for `Stromverbrauch` of a column `Strom`, and `Energiekosten` of `Kosten` in `Energieverbrauch`. */
export function isCompoundOf(core: readonly Word[], { plain }: Word, names: readonly Word[]): boolean {
  const [name, ...more] = core
  if (name === undefined || more.length > 0 || plain === name.plain) return false
  if (plain.startsWith(name.plain)) return quantityNouns.test(plain.slice(name.plain.length))
  const before = plain.endsWith(name.plain) ? plain.slice(0, -name.plain.length) : ''
  return before.length >= minHeadLength - 2 && names.some((part) => part.plain.startsWith(before))
}

export const minHeadLength = 6

/** Returns true for `Buchungen` of `Raumbuchungen`: the last part of a compound is what it is. */
export const isHeadOf = (compound: Word | undefined, { plain }: Word, minLength = minHeadLength): boolean =>
  plain.length >= minLength &&
  compound !== undefined &&
  compound.plain !== plain &&
  formsOf(compound.plain, 'de').some((form) => form.endsWith(fold(plain)))

const legalForm = /,? (?:GmbH(?: & Co\.? KG)?|AG|SE|KG|e\.? ?V\.?|Ltd\.?|LLC|Inc\.?|Corp\.?|plc|S\.?A\.?|B\.?V\.?)$/i

/** Returns a value, and the name of a company without its legal form. */
export const spellingsOf = (value: string): string[] =>
  legalForm.test(value) ? [value, value.replace(legalForm, '')] : [value]
