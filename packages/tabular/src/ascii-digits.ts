/** Digits of scripts in the basic plane: beyond it, those of several fonts follow each other. */
const other = /(?![\u{10000}-\u{10ffff}])[^\P{Nd}0-9]/gu

/** Returns a text with the digits of any script, such as those of Arabic or full width, as those of ASCII. */
export const asciiDigits = (text: string): string =>
  /[^\x20-\x7e]/.test(text)
    ? text
        .replaceAll(other, (digit) => String(digitValue(digit)))
        .replaceAll('٫', '.')
        .replaceAll('٬', ',')
    : text

/** Digits of a script follow each other from zero on, and those before zero are no digits. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let zero = code
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return code - zero
}
