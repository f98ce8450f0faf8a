/** Control characters, and those that change the direction of text: both can disguise what a terminal shows. */
const controls = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

const toEscape = (character: string): string => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`

/** Replaces control characters by `\uXXXX`, so that texts of others cannot send commands to the terminal. */
export const escapeControls = (text: string): string => text.replace(controls, toEscape)

/** Does the same to JSON text, which has line breaks between its values only. */
export const escapeControlsInJson = (json: string): string =>
  json.replace(controls, (character) => (character === '\n' ? character : toEscape(character)))
