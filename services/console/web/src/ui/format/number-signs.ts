/** The signs with which a reader writes numbers. */
export interface NumberSigns {
  decimal: string
  group: string
}

const englishSigns: NumberSigns = { decimal: '.', group: ',' }

/** Returns the signs of a locale. @param locale undefined for the language of the browser */
export function signsOf(locale: string = navigator.language): NumberSigns {
  // Without Intl for most readers: its first format takes the browser some 50 ms.
  if (/^en(-(US|GB|IE|CA|AU|NZ))?$/.test(locale)) return englishSigns
  const parts = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(12_345.6)
  const sign = (type: string, otherwise: string) => parts.find((part) => part.type === type)?.value ?? otherwise
  return { decimal: sign('decimal', '.'), group: sign('group', '\u00a0') }
}

/** Makes the page write and read numbers with these signs: figures are written in hundreds of places. */
export function setNumberSigns({ decimal, group }: NumberSigns): void {
  Object.assign(document.documentElement.dataset, { decimal, group })
}

/** Returns the signs of the page; those of English where there is no page. */
export function numberSigns(): NumberSigns {
  if (typeof document === 'undefined') return englishSigns
  const { decimal = englishSigns.decimal, group = englishSigns.group } = document.documentElement.dataset
  return { decimal, group }
}

/** Writes a number for an input, without groups: `1234.5`, in Germany `1234,5`. */
export const typedNumber = (value: number | string, { decimal } = numberSigns()): string =>
  // A fourth decimal, because three could be thousands.
  String(value).replace(
    /\.(\d+)$/,
    (_, decimals: string) => decimal + (decimals.length === 3 ? `${decimals}0` : decimals),
  )

/**
 * Reads a number as the reader types it: `1234.5`, `1,234.5`, in Germany `1.234,5`. A sign that can mean one thing only
 * is read also if the reader does not write it so.
 *
 * @returns NaN for what is no number, and for what may be read in two ways, such as `1.234` for a reader in London
 */
export function parseNumber(text: string, { group } = numberSigns()): number {
  const plain = text.trim().replaceAll(/[\s'’](?=\d{3}(?!\d))/g, '')
  const written = /^([+-]?)([1-9]\d{0,2}(?:\.\d{3})+|[1-9]\d{0,2}(?:,\d{3})+|\d+)(?:([.,])(\d+))?$/.exec(plain)
  if (written === null) return Number.NaN
  const [, minus = '', whole = '', sign, decimals = ''] = written
  const isGrouped = /\D/.test(whole)
  if (isGrouped && sign !== undefined && whole.includes(sign)) return Number.NaN
  const value = Number(`${minus}${whole.replaceAll(/\D/g, '')}.${decimals}`)
  // One sign before three figures is the decimal sign or separates thousands.
  const lone = isGrouped && sign === undefined && whole.length <= 7 ? whole.match(/\D/)?.[0] : undefined
  return lone === undefined || lone === group ? value : Number.NaN
}

/** Returns what is wrong with the text of a number; undefined if it can be read, or is empty. */
export function numberProblem(text: string): string | undefined {
  if (text.trim() === '' || !Number.isNaN(parseNumber(text))) return undefined
  const [, whole, rest] = /^\s*([1-9]\d{0,2})[.,](\d{3})\s*$/.exec(text) ?? []
  if (whole === undefined || rest === undefined) return 'Enter a number'
  return `Enter ${whole}${rest}, or ${typedNumber(`${whole}.${rest}`)}: this can be read as both`
}
