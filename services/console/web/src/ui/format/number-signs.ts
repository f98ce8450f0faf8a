import { englishSigns, type NumberSigns } from '@wp/contracts/local-text'

/** Returns the language of the browser; English if it is no tag of BCP 47, as `en-US@posix`, which Intl refuses. */
export function browserLocale(): string {
  try {
    return Intl.getCanonicalLocales(navigator.language)[0] ?? 'en'
  } catch {
    return 'en'
  }
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

/** The zeros of the digits of Arabic, Persian and Hindi. */
const zeros = [0x660, 0x6f0, 0x966]

/** Returns a text with the digits 0 to 9, and one sign each for spaces and apostrophes. */
const plainText = (text: string): string =>
  text
    .trim()
    .replaceAll(/[٠-٩۰-۹०-९]/g, (digit) => {
      const code = digit.charCodeAt(0)
      return String(code - (zeros.findLast((zero) => code >= zero) ?? code))
    })
    .replaceAll(/\s/g, ' ')
    .replaceAll('’', "'")

/** A sign, the figures before the decimals with one sign for all groups, that of decimals, and these. */
const writtenNumber = /^([+-]?)([1-9]\d{0,2}([.,' ])\d{3}(?:\3\d{3})*|[1-9]\d?(?:,\d\d)+,\d{3}|\d+)(?:([.,])(\d+))?$/

/**
 * Reads a number as the reader types it: `1234.5`, `1,234.5`, in Germany `1.234,5`, in India `1,23,456`. A sign that
 * can mean one thing only is read also if the reader does not write it so.
 *
 * @returns NaN for what is no number, and for what may be read in two ways, such as `1.234` for a reader in London
 */
export function parseNumber(text: string, { group } = numberSigns()): number {
  const written = writtenNumber.exec(plainText(text))
  if (written === null) return Number.NaN
  const [, minus = '', whole = '', separator, sign, decimals = ''] = written
  if (sign !== undefined && whole.includes(sign)) return Number.NaN
  // One point or comma before three figures separates decimals or thousands.
  const isLone = sign === undefined && whole.length <= 7 && (separator === '.' || separator === ',')
  if (isLone && separator !== group) return Number.NaN
  return Number(`${minus}${whole.replaceAll(/\D/g, '')}.${decimals}`)
}

/** Returns what is wrong with the text of a number; undefined if it can be read, or is empty. */
export function numberProblem(text: string): string | undefined {
  if (text.trim() === '' || !Number.isNaN(parseNumber(text))) return undefined
  const [, whole, rest] = /^([+-]?[1-9]\d{0,2})[.,](\d{3})$/.exec(plainText(text)) ?? []
  if (whole === undefined || rest === undefined) return 'Enter a number'
  return `Enter ${whole}${rest}, or ${typedNumber(`${whole}.${rest}`)}: this can be read as both`
}
