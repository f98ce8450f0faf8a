const words = (...lists: string[]): ReadonlySet<string> => new Set(lists.flatMap((list) => list.split(', ')))

const atOffice = words(
  'office, in office, in the office, onsite, on site, on-site, at office, workplace, hq, present',
  'büro, buero, im büro, vor ort, präsenz, praesenz, anwesend, arbeitsplatz, bureau, au bureau, sur site, présent',
  'ufficio, in ufficio, in sede, presente, oficina, presencial, kantoor, op kantoor, aanwezig, biuro, w biurze, 出社',
)
const elsewhere = words(
  'home, home office, homeoffice, home-office, ho, wfh, work from home, working from home, remote, remotely, telework, telecommute',
  'mobile, mobil, mobiles arbeiten, mobile work, mobilarbeit, mobiles arbeiten, telearbeit, zuhause, zu hause, hybrid remote',
  'télétravail, teletravail, à domicile, a domicile, teletrabajo, casa, da casa, lavoro da casa, smart working, smartworking, lavoro agile',
  'thuis, thuiswerken, thuiswerk, zdalnie, praca zdalna, dom, 在宅, テレワーク, 在宅勤務',
)
const away = words(
  'absent, off, day off, leave, annual leave, vacation, holiday, public holiday, pto, sick, sick leave, ill, business trip, travel, trip',
  'training, parental leave, weekend, abwesend, urlaub, krank, krankheit, feiertag, frei, elternzeit',
  'dienstreise, reise, außendienst, aussendienst, fortbildung, schulung, gleittag, absent(e), congé, conge, congés, maladie, férié',
  'rtt, déplacement, ferie, malattia, assente, trasferta, vacaciones, baja, vakantie, ziek, afwezig, vrij, urlop, chory, 休暇, 出張',
)

const marks = words('yes, y, true, 1, x, ✓, ✔, ☑, ✅, ja, j, oui, o, sì, si, sí, tak, wahr, vrai, verdadero, vero')
const noMarks = words('no, n, false, 0, ✗, ✘, ☐, ❌, nein, non, nee, nie, falsch, faux, falso')

const wordOf = (text: string): string => text.trim().normalize('NFC').toLowerCase()

/** Returns the meaning of a mark such as `x`, `yes` or `0`, undefined for another word. */
export const markOf = (text: string): boolean | undefined =>
  marks.has(wordOf(text)) ? true : noMarks.has(wordOf(text)) ? false : undefined

/** Returns true for a mark, which says by the name of its column alone what it is about. */
export const isMark = (text: string): boolean => markOf(text) !== undefined

/** Returns where a status such as `Home office` says that a person was on a day, undefined for any other word. */
export function placeOfWork(status: string): 'office' | 'home' | 'away' | undefined {
  const word = wordOf(status)
  if (atOffice.has(word) || marks.has(word)) return 'office'
  if (elsewhere.has(word)) return 'home'
  return away.has(word) || noMarks.has(word) ? 'away' : undefined
}
