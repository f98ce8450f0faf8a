import { wordsOf } from '../column-names.ts'

/** A column, as far as its use can be told from it. */
export interface DescribedColumn {
  name: string
  type: string
  /** Of times: true if no value has a time of day. */
  isDateOnly?: boolean
  /** Some values as they are in the file. */
  examples?: readonly string[]
  /** Number of different values, up to a bound. */
  distinct?: number
  /** Of numbers: the largest of these. */
  largest?: number
}

/** Finds the best column of a role: that whose name matches the earliest pattern, and of several the first. */
export function findByName(
  columns: readonly DescribedColumn[],
  patterns: readonly RegExp[],
  isUsable: (column: DescribedColumn) => boolean = () => true,
): DescribedColumn | undefined {
  const usable = columns.filter(isUsable)
  for (const pattern of patterns) {
    const found = usable.find(({ name }) => hasWord(name, pattern))
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns true if a word of a name, or two that follow each other, match: `Pers.-Nr.` is `persnr` too. */
export const hasWord = (name: string, pattern: RegExp): boolean => {
  const words = wordsOf(name)
  return words.some((word, at) => pattern.test(word) || (at > 0 && pattern.test(`${words[at - 1]}${word}`)))
}

// Patterns of words without accents, as `wordsOf` returns them, in English, German and French, the usual ones also in
// Japanese (`ビ` is `ヒ` without its mark); those of badges also in Spanish, Italian, Dutch and Polish. German compounds
// are one word, so most patterns are their beginnings.

export const cardWords =
  /^(?:ausweis|badge(?!reader)|karte$|karten(?:nr|nummer|id|inhaber)|card$|card(?:no|nr|number|id|holder)|transponder|chip(?:nr|nummer|id)?$|porteur|tarjeta|tessera)/
/** Words of a person by a badge or a number. */
export const badgeHolderWords = [
  cardWords,
  /^(?:personal(?:nr|nummer|id)|pers(?:nr|onnel)|pernr|manr|mitarbeit|employ(?!ment)|emp(?:id|no|nr|number)?$|actor$|staff|user(?!s$)|uid$|login$|worker(?:id|nr|no|number)$|associate(?:id|no|number)?$|benutzer|nutzer|upn$|persona?$|personen(?:nr|nummer|id)|member|mitglied|matricule|salarie|collaborat|emplead|colaborador|dipendente|matricola|pracownik|medewerker|trabajador|社員|職員|従業員)/,
]
/** Words of who made a booking. */
export const bookerWords = [
  /^(?:organi[sz](?:er|at(?:or|eur)|ador)|veranstalt|book(?:er|edby)|gebucht|besteller|gastgeber|host$|titulaire)/,
]
/** Words of a name alone, which things have too. */
export const nameWords = [
  /^(?:vorname|nachname|surname|lastname|firstname|fullname|name|names|nom|nome|cognome|nombre|apellido|worker)$/,
]
/** Words of a person who is identified. */
export const identifiedPersonWords = [...badgeHolderWords, ...bookerWords, /^(?:e?mail|mailadresse|courriel)$/]
/** Words of a person, the most exact identification first. */
export const personWords = [...identifiedPersonWords, ...nameWords]

/** Words of a reader, a door or a counter. */
export const readerWords = [
  // Beside the person, which is the primary one.
  /^secondaryobject$/,
  /(?:leser|reader|lecteur)$|^(?:terminal|camera$|kamera$|drehkreuz|turnstile|gate|door|tur|turen|turname|portes?$|porta$|puerta|varco|drzwi|deur$|entry$|zutrittspunkt|eingang|entrance|zugang$|sensor|zahler(?!stand)|(?:zahl|mess)(?:stelle|punkt)|counter|objectname$)/,
]
/** A column with the names of the sheets of a workbook, and such names that are none of places. */
export const sheetWords = /^sheet$/
export const periodName =
  /^(?:kw|cw|wk|week|woche|q[1-4]|(?:19|20)\d\d|jan(?:uary?|v(?:ier)?)?|feb(?:ruary?)?|f[eé]v(?:r(?:ier)?)?|m(?:[aä]|ae)r(?:[sz]|ch)?|mrz|apr(?:il)?|avr(?:il)?|ma[iy]|jun[ei]?|juin|jul[iy]?|juil(?:let)?|aug(?:ust)?|ao[uû]t|sept?(?:emb(?:er|re))?|o[ck]t(?:ob(?:er|re))?|nov(?:emb(?:er|re))?|de[cz](?:ember)?|d[eé]c(?:embre)?)(?!\p{L})/iu

/** Words of a place within a building. */
export const innerSpaceWords = [
  ...readerWords,
  /^(?:raum|room|salle|sala$|zimmer|besprechungs(?:raum|ressource)|desk|seat$|space$|platz$|arbeitsplatz|resource|ressource|会議室|部屋)/,
  /^(?:zone|bereich$|wing|flugel)/,
  /^(?:etage|planta$|piso$|piano$|pietro$|verdieping|stockwerk|geschoss|stock$|floor|level$|ebene|フロア|階)/,
]
/** Words of a place, the smallest first: what is measured there is also measured in all around it. */
export const spaceWords = [
  ...innerSpaceWords,
  /^(?:gebaude|building|batiment|edificio|gebouw|budynek|haus$|建物|ヒル)/,
  /^(?:location|facility|ort$|standort|site|campus|place|space|objekt|liegenschaft|niederlassung|office|buro|sede$|locatie|vestiging|werk$|plant$|betriebsstatte|dienstort|arbeitsort|拠点)/,
]

export const teamWords = [
  /^(?:team|abteilung|abt$|department|depts?$|departement|departamento|dipartimento|reparto|afdeling|dzial|service$|equipe|equipo|部署|部門|チーム)/,
  /^(?:gruppe|group|division|organi[sz]ation|orgeinheit|orgeh$|organisationseinheit|einheit|bereich|ou$|unit|fachbereich)/,
  /^(?:kostenstelle|costcent)/,
]

/** Words of what is measured in a place, as of `Raumtemperatur`. */
export const measuredWords =
  /(?:temperature?|feuchte|feuchtigkeit|humidity|klima|co2|pressure|helligkeit|verbrauch|consumption|energie|energy|leistung|kosten|auslastung|utilization|belegung|occupancy|nutzung)$/

/** Words of the number of people in a team. */
export const memberWords =
  /^(?:headcount|heads$|members$|mitglieder|fte$|vzae?$|stellen$|mitarbeiter(?:zahl|anzahl)$|anzahlmitarbeiter|kopf(?:zahl|e$)|employees$|mitarbeitende$|teamsize|effectifs?$)/

/** Words of plans of work, whose people are expected. */
export const shiftWords = /^(?:shift|schicht|turno|turnus|dienstplan|ploeg|zmiana|roster)/
export const startWords = [/^(?:start|begin|von$|from$|anfang|ab$|debut|valid$|gultig$|eintritt|joined|hired|begda$)/]
export const endWords = [/^(?:end|ende|bis$|to$|until|fin$|schluss|austritt|left$|endda$)/]

/** Words of the end of a stay or a connection. */
export const leftWords =
  /^(?:disassociat|disconnect|logout|logoff|loggedout|signedout|checkedout|checkout|completion|lastseen$)/

/** Words of a state that people or spaces have which are gone. */
export const activeWords = /^(?:aktiv|actif|activ|attiv|actief|enabled$|inuse$|status$|state$|statut$|stato$|estado$)/

/** Words of times beside those of a booking: of what was done in it, or around it. */
export const asideWords =
  /^(?:setup|teardown|prep|buffer|puffer|actual|real$|reel|tatsachlich|reserved|aufbau|abbau|vorbereitung|ended$|check)/

/** Words of the first and the last day of a member, beside those of start and end. */
export const joiningWords = [/^(?:entree$|du$|desde$|dal$|vanaf$|alta$|embauche|assunzione|indienst|zatrudnien)/]
export const leavingWords = [
  /^(?:au$|hasta$|al$|tot$|lastday|lastwork|termina|leav|baja$|sortie$|cessazione|uitdienst|separation|zwolnien)/,
]

/** Names that are of directions whatever the values. */
export const namedDirectionWords = [
  /^(?:richtung|direction|sens$|buchungsart|bewegung|sentido|verso$|kierunek)/,
  /^(?:event|ereignis)$/,
]
export const directionWords = [
  ...namedDirectionWords,
  /^(?:event|ereignis|art$|typ$|type|aktion|action|in$|result|ergebnis|access|outcome|side$)/,
]
export const attendeeWords = [/^(?:attendees?$|teilnehmer|personen|persons|people|guests|gaste|participants|anzahl)/]
export const checkedInWords = [/^(?:check|checked|eingecheckt|anwesend|erschienen|used$|genutzt|presence)/]
export const noShowWords = [/^(?:noshows?|autoreleased$|unused|nichterschienen|nichtgenutzt)$/]
/** Returns true for the name of a column whose yes says that a booking was not used. */
export const isNoShowName = (name: string): boolean => noShowWords.some((pattern) => hasWord(name, pattern))
const statusWord = '(?:buchungs|anwesenheits)?status$|state$|statut$|stato$|estado$|etat$'
export const statusWords = [new RegExp(`^(?:${statusWord})`)]
export const cancelledWords = [new RegExp(`^(?:cancel|storn|abgesagt|annul|${statusWord})`)]

/** Returns true for a column of shares of the places or the time, which are no people. */
export const isShare = ({ name, examples = [], largest = 0 }: Pick<DescribedColumn, 'name' | 'examples' | 'largest'>) =>
  /%|(?:prozent|percent|\b(?:quote|rate|ratio|taux|tasa|tasso|share|anteil)\b)/i.test(name) ||
  (examples.length > 0 && examples.every((text) => text.trimEnd().endsWith('%'))) ||
  // Parts of 1, but for averages of people in small rooms.
  (largest <= 1 &&
    !hasWord(name, peopleWords) &&
    examples.some((text) => /^0[.,]\d*[1-9]/.test(text)) &&
    examples.every((text) => /^(?:0|0?[.,]\d+|1(?:[.,]0+)?)$/.test(text)))

const peopleWords = /^(?:people|persons?|personen|personenzahl|headcount|gaste|guests|osoby|personas|人数)$/

/** Words of a number of people that is not that of those present at a moment. */
export const statisticWords =
  /^(?:min|minim|max|maxim|avg|average|mean$|mittel|durchschnitt|moyen|median|peak|spitze|lowest|highest|low$|high$)/
export const otherCountWords =
  /^(?:expected|erwartet|planned|geplant|prevu|capacity|kapazitat|limit|free$|frei$|available)/

/** Words of people present, the surest first. */
export const levelWords = [
  /^(?:occupancy|belegung|belegt|anwesend|anwesende|present|presence|auslastung|occupied|presenze|presenti|人数)$/,
  /^(?:people|personen|persons|anzahl|count|counts|value|wert|gaste|guests|headcount|personenzahl|zahl|aantal|osoby|personas)$/,
]
export const inWords = [
  /^(?:in|ein|incount|ins|entries|entry|entrances|ingressi|ingresso|entradas?|entrate|entrata|wejscia|wejscie|binnen|enters|eintritte|eintritt|zugange|zutritte|kommen|kommend|arrivals|ankunfte|eingang|eingange|entrees)$/,
]
export const outWords = [
  /^(?:out|aus|outcount|outs|exits|exit|uit|salidas?|saidas?|uscite|uscita|wyjscia|wyjscie|sortie|austritte|austritt|abgange|gehen|gehend|departures|ausgang|ausgange|sorties)$/,
]

/** Words of things whose names are not those of people. */
export const thingWords =
  /^(?:ap|accesspoint|device|gerat|host|hostname|ssid|network|netz|event|file|datei|product|meeting|resource|queue)$/

/** Words of devices that are connected to a network. */
export const deviceWords = /^(?:clients?|devices?|gerate|endgerate|appareils)$/

/** Words of a column with a mark for each day at the office. */
export const presenceWords = [
  /^(?:buro|office|present|presence|anwesend|anwesenheit|prasenz|vorort|onsite|presenza|presente|aanwezig|attended)$/,
]

/** Words of work elsewhere, whose marks say the opposite. */
export const homeWords = [/^(?:home|homeoffice|remote|mobil|telework|wfh|zuhause|teletravail|teletrabajo|thuis|zdaln)/]
