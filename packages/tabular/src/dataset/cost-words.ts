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
