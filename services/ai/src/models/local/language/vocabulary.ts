import { fold, formsOf, type Language, stemOf } from './words.ts'

/** Words that mean the same, mostly translations. They may stand for the name of a column or for a value. */
const same = [
  'building gebaude, city town stadt, country land lander, floor storey etage stockwerk, room raum raume zimmer',
  'desk schreibtisch, visitor guest besucher gast gaste, person people personen leute, capacity kapazitat',
  'employee staff mitarbeiter mitarbeitende beschaftigte, occupancy utilization utilisation auslastung belegung',
  'contract vertrag vertrage, vendor supplier lieferant, customer client kunde, booking reservation buchung',
  'cost kosten kostet expensive cheap, price preis expensive cheap, monthly monatlich monatliche, month monat',
  'week woche, year jahr, day tag, date datum, start begin beginn beginnt beginnen begann begannen began startet, end ende endet, hour stunde, m2 sqm quadratmeter',
  'owner own responsible verantwortlich verantwortliche, category kategorie, status zustand, department dept abteilung',
  'active aktiv, expired abgelaufen, open offen, closed geschlossen, high hoch hohe hoher hohen hohem hohes, low niedrig, priority prioritat',
  'salary gehalt gehalter wage lohn earn earns verdient verdienen, response respond responded antwort, revenue umsatz umsatze, amount betrag betrage, quantity menge, product produkt, title titel',
  'loan ausleihe, book buch bucher, branch filiale, temperature temperatur, humidity luftfeuchtigkeit, sensor fuhler',
  'cleaning reinigung, security sicherheit, maintenance wartung, munich munchen, cologne koln, vienna wien',
  'door tur turen, reader leser, user benutzer nutzer, cancelled canceled storniert cancellation cancellations stornierung stornierungen, attendee participant teilnehmer, organiser organizer organisator',
  'nuremberg nurnberg, hanover hannover, geneva genf, germany deutschland, france frankreich, ticket anfrage',
  'vehicle car fahrzeug auto, driver fahrer, rent miete, landlord vermieter, incident vorfall storung, training schulung,',
  'order bestellung bestellungen, purchase purchased bought gekauft angeschafft, duration dauer dauert dauern, remote remotely',
]

/** Words that are near enough to find a passage, which the reader then judges. */
const related = [
  'meeting besprechung besprechungsraum meetingraum, workplace arbeitsplatz arbeitsplatze, key card badge access zutritt',
  'contact responsible zustandig ansprechpartner, cost price expense fee kosten preis gebuhr pay paid, charge',
  'expire expiry auslaufen lauft, notice kundigung kundigungsfrist terminate termination, rule policy regulation regel',
  'device equipment laptop notebook computer phone smartphone tablet gerat anlage, advance ahead beforehand voraus vorher',
  'allowed permitted permit may welcome erlaubt gestattet darf durfen willkommen forbidden prohibited banned verboten untersagt, parking parkplatz, office buro',
  'bicycle bike fahrrad fahrrader, clean gereinigt, emergency notfall, fire brand feuer, remote homeoffice telework',
  'dog dogs pet hund hunde haustier, lost lose loss verlust verloren verlorener verlorene verlorenen verliere verliert, stolen theft steal stole diebstahl gestohlen',
  'lunch canteen cafeteria kantine mittagessen, open opening offnungszeiten geoffnet offnet, printer drucker',
  'coffee kaffee, travel trip reise dienstreise, elevator lift aufzug aufzuge, smoking rauchen, insurance versicherung',
  'hotel lodging accommodation overnight unterkunft ubernachtung, flight fly plane flug fliegen, train rail bahn zug',
  'vacation holiday leave urlaub, refund reimburse reimbursement reimbursed erstattet erstattung, buy purchase kaufen',
  'report notify melden meldung, password passphrase passwort kennwort, key schlussel, warranty guarantee garantie',
]

const groupsOf = (lines: readonly string[]): string[][] =>
  lines.flatMap((line) => line.split(', ').map((group) => group.split(' ')))

const indexOf = (groups: readonly string[][], keyOf: (word: string) => string): ReadonlyMap<string, string[]> => {
  const index = new Map<string, string[]>()
  for (const [position, group] of groups.entries())
    for (const word of group) index.set(keyOf(word), [...(index.get(keyOf(word)) ?? []), `#${position}`])
  return index
}

const sameIndex = indexOf(groupsOf(same), fold)
const relatedGroups = [...groupsOf(same), ...groupsOf(related)]
const relatedIndex = indexOf(relatedGroups, stemOf)

/** Returns a function that tells if two words are forms of one word, or words that mean the same. */
export function createWordComparison(language: Language): (a: string, b: string) => boolean {
  const cache = new Map<string, Set<string>>()
  const keysOf = (word: string): Set<string> => {
    const keys =
      cache.get(word) ?? new Set(formsOf(word, language).flatMap((form) => [form, ...(sameIndex.get(form) ?? [])]))
    cache.set(word, keys)
    return keys
  }
  return (a, b) => a === b || [...keysOf(a)].some((key) => keysOf(b).has(key))
}

/** Returns true for words of one group, such as `laptop` and `phone`. */
export const areRelated = (a: string, b: string): boolean =>
  (relatedIndex.get(stemOf(a)) ?? []).some((group) => relatedIndex.get(stemOf(b))?.includes(group) === true)

/** Letters from which on a word is looked for inside compounds: `vertrag` in `Mietvertrag`. */
const minCompoundLength = 5

/** Returns the keys under which a word of a text is found: its stem, and its groups of related words. */
export const textKeysOf = (word: string): string[] => {
  // `geladen` is a form of `laden`.
  const [, prefix = '', verb] = /^((?:ab|an|auf|aus|ein|mit|zu)?)ge(\p{L}{3,}(?:t|en))$/u.exec(fold(word)) ?? []
  const infinitive = verb === undefined ? [] : [stemOf(prefix + verb.replace(/(?<!e)t$/, 'en'))]
  return [stemOf(word), ...infinitive, ...(relatedIndex.get(stemOf(word)) ?? [])]
}

/** Returns true if a text with these keys has the word, a related one, or a compound that begins or ends with it. */
export function hasWord(keys: ReadonlySet<string>, word: string): boolean {
  if (textKeysOf(word).some((key) => keys.has(key))) return true
  const stem = stemOf(word)
  if (stem.length < minCompoundLength || /\d/.test(stem)) return false
  for (const other of keys)
    if (other.length >= minCompoundLength && !other.startsWith('#') && (isAffix(stem, other) || isAffix(other, stem)))
      return true
  return false
}

const isAffix = (part: string, whole: string): boolean =>
  whole.length > part.length && (whole.startsWith(part) || whole.endsWith(part))

/** Returns a search query: words, and related words for them. */
export const searchQueryOf = (words: readonly string[]): string =>
  [...new Set(words.flatMap((word) => [word, ...relatedWords(word)]))].join(' ').slice(0, maxQueryLength)

const relatedWords = (word: string): string[] =>
  (relatedIndex.get(stemOf(word)) ?? []).flatMap((key) => relatedGroups[Number(key.slice(1))] ?? [])

const maxQueryLength = 1_000
