import { wordsOf } from '../column-names.ts'
import { hasWord } from './column-roles.ts'

export const spaceNameWords = [/^(?:name|bezeichnung|label|titel|title)/]
export const spaceIdWords = [/^(?:id$|code$|nr$|nummer$|number$|key$|kennung|kurzel|external)/]
export const spaceKindWords = [/^(?:kind|type|typ|art|ebene|level|category|kategorie)$/]
/** Values of the kind of a space. */
const spaceKindWord =
  /^(?:site|campus|location|standort|liegenschaft|building|gebäude|haus|bâtiment|floor|level|storey|story|etage|stockwerk|geschoss|étage|zone|area|bereich|wing|flügel|room|raum|zimmer|office|büro|salle)s?$|(?:raum|zimmer|room|fläche)$/i
/** Returns true for the kind of a space, such as `Floor` and `Meeting room`. */
export const isSpaceKind = (value: string): boolean =>
  value.split(/[^\p{L}]+/u).some((word) => spaceKindWord.test(word))
export const parentWords = [/^(?:parent|ubergeordnet|gehort|teil|within|above|inside|oberhalb)/]
export const capacityWords = [
  /^(?:capacity|kapazitat|seats|sitzplatze|sitze|platze|arbeitsplatze|desks|schreibtische|capacite|capacidad|capacita|capaciteit|places|postes|puestos|plazas|asientos|postazioni|座席数|席数|定員)$/,
]
export const areaWords = [/^(?:area|flache|nutzflache|mietflache|nuf|nf|sqm|m2|qm|surface|面積)$/]
const otherAreaUnits = /^(?:sqft|sf|ft|ft2|feet|foot|squarefeet|acres?|hektar|hectares?|km2)$/
/** Returns true for an area that is not in square metres. `HA` beside them is the name of a kind of area. */
export const isOtherAreaName = (name: string): boolean =>
  hasWord(name, otherAreaUnits) || (hasWord(name, /^ha$/) && !hasWord(name, /^(?:m2|qm|sqm)$/))

/** Returns true for a cost that is not that of a year and the whole space: `Rent per m²`, `Tagesmiete`, `Cost H1`. */
export function isOtherCostName(name: string): boolean {
  const text = wordsOf(name).join(' ')
  const [year, period] = [text.search(annualWords), text.search(periodWords)]
  if (hasWord(name, areaUnits) || perPlace.test(text) || dividedByPlace.test(name) || otherYear.test(text)) return true
  // `Annual cost (lease 10 years)`, but not `Rent 5 years` and `Miete Januar`
  const other = text.search(otherSpan)
  const [, from, to] = /\b(20\d\d)(?: to| bis)? (20\d\d)\b/.exec(text) ?? []
  const hasYears = year < 0 && Number(to) - Number(from) > 1
  if (hasYears || (other >= 0 && (year < 0 || other < year))) return true
  return period >= 0 && (year < 0 || period < year || perPeriod.test(text))
}
const areaUnits = /^(?:m²|m2|qm|sqm|sqft|psf|ft2|ft²|tsubo)$|坪/
const placeNames = [
  '(?:(?:arbeits|sitz)?platz|desks?|seats?|workstations?|workplaces?|persons?|personne|persona|kopf|head|capita|fte',
  'employees?|mitarbeiter|poste|puesto|postazione|werkplek)(?![a-z])',
].join('|')
const perPlace = new RegExp(`\\b(?:pro|per|par|je|por|op) ${placeNames}`)
const dividedByPlace = new RegExp(`/ ?(?:${placeNames}|sf\\b)`, 'i')
/** Words of parts of a year, and of two; `H1` may be a building. */
const namedPlace = 'haus|house|building|bldg|gebaude|block|site|campus|tower|turm|wing|raum|room|floor|etage'
const otherYear = new RegExp(
  `\\b(?:(?:semi|bi) ?annual|half ?year|halbjahr|semest|ytd\\b|(?<!\\b(?:${namedPlace}) )[hq][1-4]\\b(?! (?:${namedPlace})))`,
)
const monthName =
  '(?:jan(?:uary?|uar)?|feb(?:ruary?|ruar)?|mar(?:ch|z)?|apr(?:il)?|ma[iy]|june?|juni|july?|juli|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?)'
/** Texts before the last month of a year, or its first: `Jan - Dec 2026`, `from January`. */
const wholeYear =
  '(?:(?:from|since|ab|seit|as of|stand|per|zum) |(?:jan(?=.*de[cz])|apr(?=.*mar)|jul(?=.*jun)|o[ck]t(?=.*sep))[a-z]*(?: \\d+)?(?: (?:to|bis))? )'
/** Words of several years, of a single payment, and of months that are no year. */
const otherSpan = new RegExp(
  [
    '\\b(?:(?:[2-9]|[1-9]\\d) (?:years?|jahre?s?|ans|anni)\\b|lifetime|over (?:the )?(?:lease )?term|one ?(?:off|time)\\b|einmal',
    `fit ?out|deposit|kaution|(?<!\\b${wholeYear})${monthName}(?: \\d+)?$)`,
  ].join('|'),
)
const periodNames = [
  'monat|month|mensuel|mensual|mensile|mese?s?\\b|mois\\b|maand|miesi|ayl[iı]k|quartal|quarter|trimest|kwarta',
  'week|woche|tag\\b|tages|taglich|day\\b|daily\\b|stunde|hour',
].join('|')
const periodWords = new RegExp(`\\b(?:${periodNames}|mtl\\b|mth\\b|mo\\b|mt\\b|pcm\\b|p ?m\\b)|[月日]額|月間|月$`)
const perPeriod = new RegExp(`\\b(?:per|pro|par|por|je|al) (?:${periodNames}|mth\\b)`)
/** Words after which a period is that of payment, or the name of something: `Annual rent (paid monthly)`. */
const annualWords = /\b(?:annual|annuel|annuo|annum|anual|year|jahr|jaehr|p ?a\b|12 ?(?:mon|mois))/

/** Returns true for the name of an amount of a space, which is of no use as a text. */
export const isAmountName = (name: string): boolean =>
  [...capacityWords, ...areaWords, ...costWords].some((pattern) => hasWord(name, pattern))
export const avoidableWords = [/^(?:avoidable|vermeidbar|einsparbar|wegfall|entfall|evitable)/]

/** Words of the cost of a year, the whole before its parts, such as the rent. */
export const costWords = [
  /^(?:annual|yearly|total|full|jahres|gesamt)(?:costs?|kosten)$/,
  /^(?:costs?|kosten|cout)$/,
  /^(?:miete|jahresmiete|mietkosten|rent|loyer)$/,
]
/** A unit of the values of such a cost. */
export const otherCostUnit =
  /\/ ?(?:m²|m2|qm|sqm|sq|ft|mon|mth|mo\b|week|desk|platz|p\.?m\.?)|\b(?:p\.?m\.|mtl|monatlich|monthly|psf|pcm)/i
const currencySigns: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP', '₹': 'INR' }
/** Returns the currency in the name of a column of costs, `Rent (£/yr)`. `$` and `¥` are of several countries. */
export function currencyOfName(name: string): string | undefined {
  const [named = ''] = /[€£₹]|(?<=[([/ ][TkM]?)[A-Z]{3}(?=[)\]/]|$)/.exec(name) ?? []
  const code = currencySigns[named] ?? named
  return Intl.supportedValuesOf('currency').includes(code) ? code : undefined
}

/** Codes that are written in capital letters only, and those that are no words in small ones, with names. */
const largeCurrencies =
  'SEK|NOK|DKK|ISK|PLN|CZK|HUF|RON|TRY|ILS|AED|SAR|QAR|ZAR|EGP|JPY|CNY|HKD|TWD|KRW|SGD|MYR|THB|INR|AUD|NZD|CAD|MXN|BRL'
const smallCurrencies = 'eur|usd|gbp|chf|kr|euros?|dollars?|pounds?|franken'
const withLetters = (codes: string, flags: string) =>
  new RegExp(`(?<!\\p{L})((?:[TKMtkm]n?)?)(?:${codes})((?:[KMkm]n?)?)(?!\\p{L})`, flags)
const currencyWords = [withLetters(largeCurrencies, 'gu'), withLetters(smallCurrencies, 'giu')]
/** Writes `¤` for each currency, also after or before the letter of a scale: `TEUR` becomes `T¤`. */
const withSigns = (name: string): string =>
  currencyWords.reduce(
    (text, pattern) => text.replaceAll(pattern, '$1¤$2'),
    name
      .replaceAll('_', ' ')
      .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
      .replaceAll(/[€$£¥₹]/g, '¤'),
  )
const thousandWords =
  'tsd|milliers|migliaia|duizend|tusen|thousands|(?:thousand|tausend)(?! (?!of|¤)\\p{L})|miles(?= (?:de )?¤)'
const inThousands = "(?:1[.,’' ]?|[’'])?000"
const thousand = new RegExp(
  [
    `(?<!\\p{L})(?:[tk] ?¤|(?:${thousandWords})(?!\\p{L}))|¤ ?(?:k(?!\\p{L})|${inThousands}(?!\\d))`,
    `(?<![\\d.,])${inThousands} ?¤|[([]k[)\\]]|千円`,
  ].join('|'),
  'iu',
)
const millionWords = 'mio|millions|millionen|mln|million(?! (?!of|¤)\\p{L})'
const million = new RegExp(
  `(?<!\\p{L})(?:(?:mn?|mill\\.?) ?¤|(?:${millionWords})(?!\\p{L}))|¤ ?(?:mn?|mill)(?![\\p{L}\\d²/])|百万円`,
  'iu',
)
/** Returns how much one is in a column whose name states it: 1,000 for `Cost (TEUR)`, `Rent ($k)` and `Tsd. €`. */
export function scaleOfName(name: string): number {
  const text = withSigns(name)
  return thousand.test(text) ? 1_000 : million.test(text) ? 1_000_000 : 1
}
