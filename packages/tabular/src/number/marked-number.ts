import { plainCharacters } from '../plain-characters.ts'

/** A number within a text, without what stands around it. */
export interface MarkedNumber {
  /** The number as it is written, negative if brackets or a minus behind it say so. */
  number: string
  /** Currency or unit; empty without one. */
  unit: string
  /** True if a plus, brackets or a minus behind the number give its sign. */
  isSigned: boolean
}

const maxLength = 60
const core = String.raw`[-−]?\d(?:[\d.,'’_ \u00a0\u202f\u2009\u2007]*\d)?(?:[eE][-+]\d{1,3})?`
const space = String.raw`[ \u00a0\u202f\u2009]?`
/** Most texts do not begin so, and are not examined further. */
const beginning = /^\P{L}{0,3}[\p{L}\p{Sc}.]{0,4}[ \u00a0\u202f]?\P{L}{0,3}\p{Nd}|\p{Sc}/u
const number = new RegExp(`^${core}$`)
const before = new RegExp(String.raw`^([-−]?)([%\p{Sc}]|[A-Z]{1,3}\p{Sc}|\p{L}{2,3}\.?)${space}(${core})$`, 'u')
const after = new RegExp(
  String.raw`^(${core})(${space})([A-Z]{0,3}\p{Sc}|[%‰]|°[CF]?|\p{L}[\p{L}.]{0,10}[²³23]?(?:/\p{L}{1,6}[²³23]?)?)$`,
  'u',
)

/** Costs are those of a year. */
const perYear = / ?(?:\/ ?(?:yr|year|jahr|an|a)|p\. ?a\.|per (?:year|annum)|pro jahr|par an)$/i
/** As in `1'250.-` and `€ 1.250,--`. */
const dashInPlaceOfCents = /(?<=\d)[.,][-–—]{1,2}(?=$| ?(?:\p{Sc}|[A-Z]{3}|Fr\.)$)/u

/** Units that may stand directly behind a number. Other letters there are part of a name, such as that of room 12a. */
const attachedUnits: ReadonlySet<string> = new Set(
  'kWh Wh MWh kW MW m² m2 m³ m3 qm km cm mm sqm sqft ft ft² kg MB GB KB TB ppm lx dB dBm Pa bar'.split(' '),
)
/** Short words before a number, beside the codes of currencies. */
const currencyWords: ReadonlySet<string> = new Set([
  ...['Fr.', 'SFr', 'kr', 'kr.', 'zł', 'Kč', 'Rs', 'Rs.', 'Ft', 'lei', 'Lei', 'Rp', 'Rp.', 'RM', 'TL', 'Bs', 'Bs.'],
  ...['руб', 'руб.', 'лв', 'лв.', 'грн', 'грн.', 'din', 'din.', 'DM'],
])
const currencyCodes: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))
const isCurrency = (text: string): boolean =>
  currencyWords.has(text) || currencyCodes.has(text) || /^(?:[A-Z]{0,3}\p{Sc}|%)$/u.test(text)
/** Words that make a date, a duration, a floor, a rank or a multiple of a number. */
const noUnit =
  /^(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz]|uhr$|[ap]\.?m\.?$|og$|ug$|eg$|floor$|th$|st$|nd$|rd$|kw$|cw$|m?s$|h$|min|std|stunde|hour|hrs?$|heure|secs?$|sek|second|uur|uren|ore$|godz|obergesch|untergesch|[eé]tage|stock|geschoss|level|piano|verdieping|piętro|zone|halle|raum|zimmer|room|building|haus|geb|team|grupp|tower|wing|class|klasse|str|mi?ll(?:\.|ions?|i[ao]e?rd.*)?$|mio|mln|ml[dn]|mrd|bio|bn|tsd|tys|thousand|lakh|crore|тыс|млн|млрд)/i

/**
 * Splits a text such as `1.234,50 €`, `$1,200`, `120 m²`, `(12)` or `12-`, whose number is written in any format.
 * @returns undefined for a text that is a number alone, or none
 */
export function scanMarkedNumber(text: string): MarkedNumber | undefined {
  if (text.length > maxLength || !beginning.test(text)) return undefined
  const digits = withPlainSign(plainCharacters(text)).replace(perYear, '').replace(dashInPlaceOfCents, '')
  const [, inBrackets] = /^\((.*)\)$/.exec(digits) ?? []
  const [, beforeMinus] = /^(.*\d)[-−]$/.exec(digits) ?? []
  const negated = inBrackets ?? beforeMinus
  const positive = digits.startsWith('+') ? digits.slice(1) : undefined
  const found = splitUnit(negated ?? positive ?? digits)
  if (found === undefined || (found.unit === '' && negated === undefined && positive === undefined && digits === text))
    return undefined
  const isNegative = /^[-−]/.test(found.number)
  if (isNegative && (negated !== undefined || positive !== undefined)) return undefined
  return {
    ...found,
    number: negated === undefined ? found.number : `-${found.number}`,
    isSigned: negated !== undefined || positive !== undefined,
  }
}

/** Spreadsheets write amounts of accounts as `$ (5.00)`, `- 5,00 €`, and zero as `$ -` or `- €`. */
const withPlainSign = (text: string): string =>
  text
    .replace(/^(\p{Sc}|[A-Z]{3})[ \u00a0]*\((\d.*)\)$/u, '$1-$2')
    .replace(/^-[ \u00a0]+(?=\p{Sc}? ?\d)/u, '-')
    .replace(/^(\p{Sc})[ \u00a0]*-$/u, '$1 0')
    .replace(/^-[ \u00a0]*(\p{Sc})$/u, '0 $1')

function splitUnit(text: string): { number: string; unit: string } | undefined {
  if (number.test(text)) return { number: text, unit: '' }
  const [, minus = '', currency, amount = ''] = before.exec(text) ?? []
  if (currency !== undefined)
    return isCurrency(currency) && !(minus !== '' && /^[-−]/.test(amount))
      ? { number: `${minus}${amount}`, unit: currency }
      : undefined
  const [, quantity = '', gap = '', unit] = after.exec(text) ?? []
  if (unit === undefined || (noUnit.test(unit) && !isCurrency(unit))) return undefined
  const isWord = /^\p{L}/u.test(unit) && !/[²³/]/.test(unit)
  const isKnown = !isWord || attachedUnits.has(unit) || isCurrency(unit)
  return isKnown || (gap !== '' && unit.length >= 3) ? { number: quantity, unit } : undefined
}

/** Units of numbers that never stand directly behind one. */
const otherUnits: ReadonlySet<string> = new Set('h s ms l L A V °C °F K % ‰ ppb lux hPa kPa dBA l/min'.split(' '))

/** Returns true for a text that is a unit or a currency alone. */
export const isUnit = (text: string): boolean =>
  attachedUnits.has(text) || otherUnits.has(text) || isCurrency(text) || /^\p{Sc}\/.|\/m[²2]$/u.test(text)

/** Returns the same text for a unit of one and of several, such as `Person` and `Personen`, `Platz` and `Plätze`. */
export const unitKey = (unit: string): string =>
  /^\p{L}{3,}$/u.test(unit)
    ? unit
        .normalize('NFD')
        .replaceAll(/\p{M}/gu, '')
        .replace(/(?:en|es|e|s)$/, '')
    : unit
