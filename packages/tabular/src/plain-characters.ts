/** Digits of other scripts in the basic plane: beyond it, those of several fonts follow each other. */
const otherDigit = /(?![\u{10000}-\u{10ffff}])[^\P{Nd}0-9]/gu
/** Characters without a width, such as the marks of direction that Windows puts around dates and numbers. */
const invisible = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g
/** Hyphens and dashes in place of a minus, marks of Arabic numbers, and signs of full width but digits. */
const otherSign = /[\u2010-\u2013\u2212\ufe63٪٫٬\u3000\uff01-\uff0f\uff1a-\uff5e]/g
const signs: Readonly<Record<string, string>> = { '٪': '%', '٫': '.', '٬': ',', '\u3000': ' ' }

/** Returns a text with the digits and signs of any script as those of ASCII, and without invisible characters. */
export const plainCharacters = (text: string): string =>
  /[^\x20-\x7e]/.test(text)
    ? text
        .replaceAll(invisible, '')
        .replaceAll(otherDigit, (digit) => String(digitValue(digit)))
        .replaceAll(otherSign, (sign) => signs[sign] ?? ofFullWidth(sign) ?? '-')
    : text

const ofFullWidth = (sign: string): string | undefined =>
  sign >= '\uff01' ? String.fromCharCode(sign.charCodeAt(0) - 0xfee0) : undefined

/** Digits of a script follow each other from zero on, and those before zero are no digits. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return code - zero
}
