import { fold, stemOf } from './words.ts'

/**
 * Words of workplaces that mean the same, in English and German. They connect a question to columns and texts that use
 * another word or the other language. Everything else must be named as in the data.
 */
const groups = [
  'building buildings gebaude haus',
  'city town stadt ort',
  'floor storey etage stockwerk',
  'room rooms raum raume zimmer',
  'meeting besprechung besprechungsraum meetingraum',
  'desk desks workplace arbeitsplatz arbeitsplatze schreibtisch',
  'visitor visitors guest guests besucher gast gaste',
  'employee employees staff mitarbeiter mitarbeitende beschaftigte',
  'capacity kapazitat',
  'occupancy utilization utilisation auslastung belegung',
  'contract contracts agreement vertrag vertrage vertrages',
  'vendor supplier provider lieferant anbieter dienstleister',
  'cost costs price expense fee kosten kostet preis gebuhr ausgaben pay paid zahlen expensive cheap teuer teuerste billig billigste gunstigste',
  'monthly monatlich monatliche monatlichen',
  'month months monat monate',
  'week weeks woche wochen',
  'year years annual yearly jahr jahre jahrlich',
  'day days date tag tage datum',
  'start starts begin begins beginn beginnt beginnen',
  'end ends expire expires expiry ending endet enden ende lauft auslauft',
  'notice kundigung kundigungsfrist terminate termination cancel',
  'owner owns responsible contact verantwortlich verantwortliche zustandig besitzer ansprechpartner',
  'category kind type kategorie art typ',
  'asset assets equipment device anlage anlagen gerat gerate',
  'status state zustand',
  'active aktiv aktive aktiven',
  'expired abgelaufen abgelaufene abgelaufenen',
  'policy policies rule rules regulation richtlinie richtlinien regel regeln vorschrift',
  'book booking reserve reservation reserved buchen gebucht buchung reservieren reservierung',
  'advance ahead beforehand voraus vorher',
  'allowed permitted permit allow erlaubt gestattet darf',
  'forbidden prohibited banned verboten untersagt',
  'parking park parkplatz parkplatze parken',
  'bicycle bike bikes fahrrad fahrrader',
  'cleaning clean cleaned reinigung gereinigt',
  'emergency notfall',
  'fire brand feuer feuerloscher',
  'home remote homeoffice',
  'dog dogs pet pets hund hunde haustier haustiere',
  'key card badge access zutritt ausweis zutrittskarte karte schlussel',
  'lost lose verloren verlust',
  'lunch canteen cafeteria kantine mittagessen',
  'open opens opening hours offnungszeiten geoffnet offnet',
  'printer printers drucker',
  'coffee kaffee kaffeemaschine',
  'travel trip reise dienstreise',
  'elevator lift aufzug aufzuge',
  'maintenance wartung gewartet',
  'security sicherheit sicherheitsdienst',
  'smoking smoke rauchen',
  'temperature heating heizung temperatur',
  'insurance versicherung',
  'lease rent rental miete mietvertrag',
  'munich munchen',
  'cologne koln',
  'nuremberg nurnberg',
  'hanover hannover',
  'vienna wien',
  'geneva genf',
] as const

const canonicalByStem = new Map<string, string>()
const wordsByCanonical = new Map<string, readonly string[]>()
for (const group of groups) {
  const words = group.split(' ')
  const canonical = stemOf(words[0] ?? '')
  wordsByCanonical.set(canonical, words)
  for (const word of words) if (!canonicalByStem.has(stemOf(word))) canonicalByStem.set(stemOf(word), canonical)
}

/** Returns one stem for all words that mean the same. */
export const meaningOf = (stem: string): string => canonicalByStem.get(stem) ?? stem

/** Returns the other words for a word; none for a word that is not in the vocabulary. */
export const synonymsOf = (stem: string): readonly string[] =>
  (wordsByCanonical.get(meaningOf(stem)) ?? []).filter((word) => fold(word) !== stem)
