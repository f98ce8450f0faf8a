import { wordsOf } from '../column-names.ts'

const words = (...lists: string[]): ReadonlySet<string> => new Set(lists.flatMap((list) => list.split(' ')))

// Words without accents, as `wordsOf` returns them. Single letters are those of Kommen, Gehen, Entrée, Sortie.
const entries = words(
  'in entry enter entered entrance inbound arrival checkin kommen kommt eintritt zutritt eingang einlass rein ein ind',
  'entree entrada entrata ingresso wejscie binnenkomst binnen ingang prichod i e k',
)
const exits = words(
  'out exit leave left outbound departure checkout gehen geht austritt ausgang auslass raus aus ud ut',
  'sortie salida saida uscita wyjscie vertrek uitgang uit buiten odchod o s u g x',
)

const normalize = (value: string): string => value.trim().normalize('NFC').toLowerCase()
const directionOfWord = (word = ''): 'in' | 'out' | undefined =>
  entries.has(word) ? 'in' : exits.has(word) ? 'out' : undefined

/**
 * Returns the direction that a text states by its only, last or first word, as in `OUT`, `Door 2 OUT` and
 * `Exit granted`; undefined for any other text, and for a denied access.
 */
export function directionOf(value: string): 'in' | 'out' | undefined {
  const [first = '', ...others] = wordsOf(value)
  const last = others.at(-1)
  if (last === undefined) return directionOfWord(first)
  if (`${first}${last}` === 'checkin' || `${first}${last}` === 'checkout') return directionOfWord(`${first}${last}`)
  if (denied.test(normalize(value))) return undefined
  const stated = [last, first].find((word) => word.length > 1 && directionOfWord(word) !== undefined)
  // `Zutritt gewährt` is said of either direction, and in `In use` and `Out of order` the word is another one.
  return stated === first && !/^(?:entry|exit|austritt|entree|sortie|entrada|salida)$/.test(first)
    ? undefined
    : directionOfWord(stated)
}

/** Returns the words of a text without that of the direction. */
export const withoutDirection = (value: string): string =>
  wordsOf(value)
    .filter((word) => directionOfWord(word) === undefined)
    .join(' ')

export const isDirection = (value: string): boolean => directionOf(value) !== undefined

const denied =
  /denied|reject|refus|invalid|fail|unauthori|not (?:allowed|authori|permitted)|no (?:access|entry|exit)|verweigert|abgelehnt|ungültig|kein zutritt|denegad|negato|rifiutat|forced|held open/
const granted =
  /grant|authori[sz]ed|allowed|admitted|permitted|success|^valid\b|gewährt|erlaubt|zugelassen|berechtigt|autorisé|permitid|consentit/

/** Returns true if a text says that someone was let in, or that they were not. */
export function isAccess(value: string, result: 'granted' | 'denied'): boolean {
  const text = normalize(value)
  return denied.test(text) ? result === 'denied' : result === 'granted' && granted.test(text)
}
