import { formsOf, isFunctionWord, type Language, stemOf, type Word } from '../../language/words.ts'

/** Returns true for a word that may be a form of a verb. */
export const isVerb = ({ plain }: Word): boolean => /(?:ed|s|ing)$/.test(plain) && plain.length > 4

/** Returns true for `cleaned` of cleanings, `gebucht` of `Raumbuchungen` and `arbeitet` of `Mitarbeiter`. */
export function isVerbOf({ plain: noun }: Word, word: Word, language: Language): boolean {
  const isPast = word.plain.endsWith('ed') || /é(?:e?s?)$/i.test(word.text)
  if (language === 'en')
    return isPast && stemOf(noun).replace(/[eo]r$|ation$/, '') === stemOf(word.plain.replace(/ees?$/, 'e'))
  const [, verb = ''] = /^(?:ge)?(\p{L}{4,}?)(?:t|et|en|te|ten)$/u.exec(word.plain) ?? []
  return verb !== '' && stemOf(noun).endsWith(verb)
}

/** Returns true for `drives` of a column `Driver`, and `gemeldet` of `Melder`. */
export const isDoneBy = (noun: Word, word: Word, language: Language): boolean =>
  noun.plain !== word.plain && (stemOf(noun.plain) === stemOf(word.plain) || isVerbOf(noun, word, language))

/** Returns true for `verbraucht` of `Verbrauch`, and `créées` of `création`. */
export const isParticipleOf = ({ plain: noun }: Word, { plain }: Word): boolean =>
  plain.startsWith(noun) && noun.length >= 5 && /^e?t$/.test(plain.slice(noun.length))

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
  compound !== undefined &&
  compound.plain !== plain &&
  formsOf(plain, 'de').some(
    (head) => head.length >= minLength && formsOf(compound.plain, 'de').some((form) => form.endsWith(head)),
  )

/** Heads of compounds that name no quantity. */
const vagueHeads = /^(?:zahl|wert|zeit|grad|rate|mass|tage|zahlen)$/
/** Returns true for `Miete` of a column `Monatsmiete`, and `Note` of `Schulnote`. */
export const isShortNameOf = (core: readonly Word[], word: Word): boolean =>
  core.length === 1 && !vagueHeads.test(word.plain) && isHeadOf(core[0], word, 4)

const legalForm = /,? (?:GmbH(?: & Co\.? KG)?|AG|SE|KG|e\.? ?V\.?|Ltd\.?|LLC|Inc\.?|Corp\.?|plc|S\.?A\.?|B\.?V\.?)$/i

/** Returns a value, and the name of a company without its legal form. */
export const spellingsOf = (value: string): string[] =>
  legalForm.test(value) ? [value, value.replace(legalForm, '')] : [value]

/** Returns the words that say what records are: `Réservations` of `Réservations de postes`. */
export function headOf(names: readonly Word[]): readonly Word[] {
  const end = names.findIndex(({ plain }) => /^(?:de|du|del|di)$/.test(plain))
  const isRomance = names.some(({ text }) => /[éèêçñ]/i.test(text))
  return end > 0 ? names.slice(0, end) : isRomance ? names.slice(0, 1) : names
}

/** Words of the grammar are no values, unless their column is named or they are written in capital letters. */
const grammarWords =
  /^(?:total|average|sum|count|min|max|most|least|more|less|other|yes|true|false|last|first|next|top|today|different|no|none|not|kein(?:e[nmrs]?)?|aucune?|ningun[oa]?)$/

/** A number or a letter is a value only beside the name of its column; see `parse-query.ts`. */
export function isName(value: readonly Word[], asked: readonly Word[]): boolean {
  if (value.length > 1) return true
  if (value.every(({ plain }) => /^[\d.,-]+$|^.$/u.test(plain))) return false
  if (!value.every(({ plain }) => isFunctionWord(plain) || grammarWords.test(plain))) return true
  return asked.every(({ text }) => /^\p{Lu}{2,}$/u.test(text)) && value.every(({ text }) => /^\p{Lu}{2,}$/u.test(text))
}
