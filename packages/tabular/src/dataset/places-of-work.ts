import { wordsOf } from '../column-names.ts'
import { bookingStateOf, phrases } from './booking-states.ts'

const atOffice = phrases(
  'office, in office, in the office, onsite, on site, on-site, at office, workplace, hq, present',
  'büro, buero, im büro, vor ort, präsenz, praesenz, anwesend, arbeitsplatz, bureau, au bureau, sur site, présent',
  'ufficio, in ufficio, in sede, presente, oficina, presencial, kantoor, op kantoor, aanwezig, biuro, w biurze, 出社',
)
const elsewhere = phrases(
  'home, home office, homeoffice, home-office, ho, wfh, work from home, working from home, remote, remotely, telework, telecommute',
  'mobile, mobil, mobiles arbeiten, mobile work, mobilarbeit, mobiles arbeiten, telearbeit, zuhause, zu hause, hybrid remote',
  'télétravail, teletravail, à domicile, a domicile, teletrabajo, casa, da casa, lavoro da casa, smart working, smartworking, lavoro agile',
  'thuis, thuiswerken, thuiswerk, zdalnie, praca zdalna, dom, 在宅, テレワーク, 在宅勤務',
)
const away = phrases(
  'absent, off, day off, leave, annual leave, vacation, holiday, public holiday, pto, sick, sick leave, ill, business trip, travel, trip',
  'training, parental leave, weekend, abwesend, urlaub, krank, krankheit, feiertag, frei, elternzeit',
  'dienstreise, reise, außendienst, aussendienst, fortbildung, schulung, gleittag, absent(e), congé, conge, congés, maladie, férié',
  'rtt, déplacement, ferie, malattia, assente, trasferta, vacaciones, baja, vakantie, ziek, afwezig, vrij, urlop, chory, 休暇, 出張',
)

const marks = phrases('yes, y, true, 1, x, ✓, ✔, ☑, ✅, ja, j, oui, o, sì, si, sí, tak, wahr, vrai, verdadero, vero')
const noMarks = phrases('no, n, false, 0, ✗, ✘, ☐, ❌, nein, non, nee, nie, falsch, faux, falso')

const wordOf = (text: string): string => text.trim().normalize('NFC').toLowerCase()

/** Returns the meaning of a mark such as `x`, `yes` or `0`, undefined for another word. */
export const markOf = (text: string): boolean | undefined =>
  marks.has(wordOf(text)) ? true : noMarks.has(wordOf(text)) ? false : undefined

/** Returns true for a mark, which says by the name of its column alone what it is about. */
export const isMark = (text: string): boolean => markOf(text) !== undefined

/** Returns where a status such as `Home office` says that a person was on a day, undefined for any other word. */
export function placeOfWork(status: string): PlaceOfWork | undefined {
  const word = wordOf(status)
  if (atOffice.has(word) || marks.has(word)) return 'office'
  if (elsewhere.has(word)) return 'home'
  return away.has(word) || noMarks.has(word) ? 'away' : undefined
}

// Words without accents, as `wordsOf` returns them. `Home office` is home, and `Out of office` away.
const wordsOfPlaces: readonly (readonly [PlaceOfWork, RegExp])[] = [
  [
    'home',
    /^(?:home|homeoffice|wfh|remote|remotely|tele(?:work|arbeit|commut|travail|trabajo)|mobil|zuhause|hause$|distan|domicile|remoto|casa$|thuis|zdaln|hemma|hemifran|hjemme)/,
  ],
  [
    'away',
    /^(?:out$|not$|no$|nicht$|kein|non$|absen|abwes|off$|leave$|vacation|holiday|pto$|sick|ill$|illness|trip$|travel|training|urlaub|krank|feiertag|elternzeit|dienstreise|schulung|gleit|conge|maladie|arret|rtt$|ferie|malatt|vacacion|enferm|baja$|vakantie|ziek|urlop|chor[yo]|semester$|sjuk|syk|closed|weekend|parental|maternity|paternity|fortbildung)/,
  ],
  [
    'office',
    /^(?:office|buro|bureau|onsite|site$|hq$|vorort|ort$|prasenz|presen|anwesend|kontor|oficina|ufficio|sede$|kantoor|biuro)/,
  ],
]

/** Returns where a text of a column of states says that a person was, also by one of its words: `Office (Tower A)`. */
export function placeOfStatus(status: string): PlaceOfWork | undefined {
  const state = bookingStateOf(status)
  if (state === 'attended') return 'office'
  const found = wordsOf(status)
  const named = wordsOfPlaces.find(([, pattern]) => found.some((word) => pattern.test(word)))?.[0]
  return placeOfWork(status) ?? (state === undefined ? named : state === 'held' ? undefined : 'away')
}

type PlaceOfWork = 'office' | 'home' | 'away'

const active = phrases(
  'active, enabled, employed, on leave, open, in use, operational, available, aktiv, angestellt, beurlaubt, offen, in betrieb',
  'actif, active, ouvert, activo, activa, abierto, attivo, attiva, aperto, actief, open, aktywny',
)
const inactive = phrases(
  'inactive, disabled, deprovisioned, suspended, archived, offboarded, terminated, left, resigned, retired, former, deactivated, closed, decommissioned, out of service',
  'not in use, demolished, inaktiv, ausgeschieden, ausgetreten, gekündigt, ehemalig, deaktiviert, stillgelegt, geschlossen',
  'inactif, inactive, parti, partie, désactivé, fermé, inactivo, inactiva, cerrado, inattivo, inattiva, cessato, chiuso',
  'inactief, uit dienst, gesloten, nieaktywny',
)

/** Returns true for a state of a person or space that is still there, false for one that is gone, else undefined. */
export function isActiveState(text: string): boolean | undefined {
  const word = text.trim().normalize('NFC').toLowerCase()
  return inactive.has(word) ? false : active.has(word) ? true : markOf(word)
}
