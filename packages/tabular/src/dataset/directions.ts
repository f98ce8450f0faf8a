const words = (...lists: string[]): ReadonlySet<string> => new Set(lists.flatMap((list) => list.split(' ')))

const entries = words(
  'in entry enter entrance entered inbound arrival checkin check-in kommen eintritt zutritt eingang rein ein',
  'entrée entree entrada entrata wejście binnenkomst',
)
const exits = words(
  'out exit leave left outbound departure checkout check-out gehen austritt ausgang raus aus sortie salida uscita',
  'wyjście vertrek',
)

const normalize = (value: string): string => value.trim().normalize('NFC').toLowerCase()

/** Returns the direction that a word states, undefined for any other word. */
export function directionOf(value: string): 'in' | 'out' | undefined {
  const word = normalize(value)
  return entries.has(word) ? 'in' : exits.has(word) ? 'out' : undefined
}

export const isDirection = (value: string): boolean => directionOf(value) !== undefined

const denied =
  /denied|reject|refus|invalid|fail|unauthori|not (?:allowed|authori|permitted)|no access|verweigert|abgelehnt|ungültig|kein zutritt|denegad|negato|rifiutat|forced|held open/
const granted =
  /grant|authori[sz]ed|allowed|admitted|permitted|success|^valid\b|gewährt|erlaubt|zugelassen|berechtigt|autorisé|permitid|consentit/

/** Returns true if a text says that someone was let in, or that they were not. */
export function isAccess(value: string, result: 'granted' | 'denied'): boolean {
  const text = normalize(value)
  return denied.test(text) ? result === 'denied' : result === 'granted' && granted.test(text)
}
