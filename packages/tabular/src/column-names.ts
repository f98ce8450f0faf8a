/** Soft hyphens, marks of direction and others without width, but not those that join the parts of an emoji. */
const unseen = /(?!\u200d)\p{Cf}/gu

/** Returns a text in NFC as it is seen: without characters that have no width, and with single spaces. */
export const visibleText = (text: string): string =>
  text.normalize('NFC').replaceAll(unseen, '').replaceAll(/\s+/g, ' ').trim()

/**
 * Returns a whole number without the zeros before it and the decimals of zero, which spreadsheets drop and add in the
 * numbers of badges: `00417.0` is 417, and so is `'00417` as text. Any other text as it is.
 */
export function plainNumber(text: string): string {
  const [, sign, digits] = /^'?(-(?!0\d))?(\d+)(?:\.0+)?$/.exec(text) ?? []
  if (digits === undefined) return text
  const number = digits.replace(/^0+(?=\d)/, '')
  return sign === undefined || number === '0' ? number : `-${number}`
}

const normalize = (name: string): string =>
  visibleText(name)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()

/** Returns the words of a column name in lower case, without accents. */
export const wordsOf = (name: string): string[] =>
  normalize(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')

const hasWord = (pattern: RegExp) => (name: string) => wordsOf(name).some((word) => pattern.test(word))

/** Returns true for the name of a column of times. */
export const isTimeName = hasWord(
  /^(?:time|times|timestamp|datetime|date|dates|ts|epoch|zeit|zeitpunkt|zeitstempel|datum|uhrzeit|tag|day|heure|jour|horodatage|fecha|hora|data|ora|giorno|tijd|created|updated|at|when|unixtime|start|end|from|to|von|bis|beginn|ende|debut|fin|inizio|fine|inicio|begda|endda)$/,
)

/** Returns true for the name of a column of identifiers, whose numbers are not counted with. */
export const isIdentifierName = hasWord(
  /^(?:id|ids|uid|uuid|nr|no|num|number|nummer|numero|code|key|zip|zipcode|plz|postal|postcode|postleitzahl|cap|cp|phone|telephone|telefon|tel|fax|mobile|handy|ip|version|release|build|room|raum|zimmer|salle|sala|desk|platz|arbeitsplatz|space|floor|etage|stockwerk|piano|piso|sku|part|artikel|badge|card|karte|iban|account|konto|sensor|device|serial)$/,
)

/** Returns true for the name of a column of versions. */
export const isVersionName = hasWord(/^(?:version|versions|release|build|revision|chapter|section|kapitel|ip)$/)
