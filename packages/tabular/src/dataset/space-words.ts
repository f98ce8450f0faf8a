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
/** Words of an area that is not in square metres. */
export const otherAreaUnits = /^(?:sqft|sf|ft|ft2|feet|foot|squarefeet|acres?|ha|hektar|hectares?|km2)$/
/** Returns true for a cost that is not that of a year and the whole space, such as `Rent per m²`. */
export const isOtherCostName = (name: string): boolean => hasWord(name, otherCostWords)
/** Returns true for an area that is not in square metres. */
export const isOtherAreaName = (name: string): boolean => hasWord(name, otherAreaUnits)

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
/** Words of a cost that is not that of a year and the whole space, and such a unit of its values. */
export const otherCostWords =
  /^(?:m²|m2|qm|sqm|sqft|psf|ft2|ft²|monat.*|mtl|mth|month.*|pcm|pm|mensuel.*|mensual|mensile|quartal.*|quarter.*|(?:pro|per|par)(?:platz|desk|seat|person|poste|head|fte)|week.*|tag|day|daily)$/
export const otherCostUnit =
  /\/ ?(?:m²|m2|qm|sqm|sq|ft|mon|mth|mo\b|week|desk|platz|p\.?m\.?)|\b(?:p\.?m\.|mtl|monatlich|monthly|psf|pcm)/i
const currencySigns: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP', '₹': 'INR' }
/** Returns the currency in the name of a column of costs, `Rent (£/yr)`. `$` and `¥` are of several countries. */
export function currencyOfName(name: string): string | undefined {
  const [named = ''] = /[€£₹]|(?<=[([/ ][TkM]?)[A-Z]{3}(?=[)\]/]|$)/.exec(name) ?? []
  const code = currencySigns[named] ?? named
  return Intl.supportedValuesOf('currency').includes(code) ? code : undefined
}

const currency = '(?:[€$£¥₹]|[A-Z]{3}(?![A-Z]))'
const thousand = new RegExp(
  `(?<!\\p{L})(?:[Tk] ?${currency}|Tsd|Tausend|[Tt]housands?|milliers)|${currency} ?(?:k(?!\\p{L})|[’']?000)|千円`,
  'u',
)
const million = new RegExp(
  `(?<!\\p{L})(?:(?:M|mn) ?${currency}|Mio|Mill|[Mm]illions?|Millionen)|${currency} ?(?:mn?|M)(?![\\p{L}²2/])|百万円`,
  'u',
)
/** Returns how much one is in a column whose name states it: 1,000 for `Cost (TEUR)`, `Rent ($k)` and `Tsd. €`. */
export const scaleOfName = (name: string): number => (thousand.test(name) ? 1_000 : million.test(name) ? 1_000_000 : 1)
