const maxLength = 40
/** Characters listed by code point. */
const maxCharacters = 3
/** Spaces other than the usual one, controls and marks without a width: two texts with them look the same. */
const invisible = /[\p{Zs}\p{Zl}\p{Zp}\p{Cc}\p{Cf}]/gu

/** Quotes a value for a message. Invisible characters are shown as `␣` and listed: `'12:00␣AM' (U+202F)`. */
export function quoteValue(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  const shown = (text.length > maxLength ? `${text.slice(0, maxLength)}…` : text).toWellFormed()
  const found = new Set<string>()
  const visible = shown.replaceAll(invisible, (character) => {
    if (character === ' ') return character
    found.add(`U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`)
    return '␣'
  })
  return found.size === 0 ? `'${visible}'` : `'${visible}' (${[...found].slice(0, maxCharacters).join(', ')})`
}

const maxNames = 20

/** Formats names for a message: quoted, at most 20 of them. */
export function listNames(names: readonly string[]): string {
  const quoted = names.slice(0, maxNames).map((name) => `"${name}"`)
  const more = names.length - quoted.length
  return more > 0 ? `${quoted.join(', ')} and ${more} more` : quoted.join(', ')
}
