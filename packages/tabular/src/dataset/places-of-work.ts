const words = (...lists: string[]): ReadonlySet<string> => new Set(lists.flatMap((list) => list.split(', ')))

const atOffice = words(
  'office, in office, in the office, onsite, on site, on-site, at office, workplace, hq, present, yes, y, true, 1, x, ✓, ✔, ☑, ✅',
  'büro, buero, im büro, vor ort, präsenz, praesenz, anwesend, arbeitsplatz, ja, j, bureau, au bureau, sur site, présent, oui, o',
  'ufficio, in ufficio, in sede, presente, sì, si, sí, oficina, presencial, kantoor, op kantoor, aanwezig, biuro, w biurze, tak, 出社',
)
const elsewhere = words(
  'home, home office, homeoffice, home-office, ho, wfh, work from home, working from home, remote, remotely, telework, telecommute',
  'mobile, mobil, mobiles arbeiten, mobile work, mobilarbeit, mobiles arbeiten, telearbeit, zuhause, zu hause, hybrid remote',
  'télétravail, teletravail, à domicile, a domicile, teletrabajo, casa, da casa, lavoro da casa, smart working, smartworking, lavoro agile',
  'thuis, thuiswerken, thuiswerk, zdalnie, praca zdalna, dom, 在宅, テレワーク, 在宅勤務',
)
const away = words(
  'absent, off, day off, leave, annual leave, vacation, holiday, public holiday, pto, sick, sick leave, ill, business trip, travel, trip',
  'training, parental leave, weekend, no, n, false, 0, ✗, ✘, ☐, ❌, abwesend, urlaub, krank, krankheit, feiertag, frei, elternzeit',
  'dienstreise, reise, außendienst, aussendienst, fortbildung, schulung, gleittag, nein, absent(e), congé, conge, congés, maladie, férié',
  'rtt, déplacement, non, ferie, malattia, assente, trasferta, vacaciones, baja, vakantie, ziek, afwezig, vrij, nee, urlop, chory, nie, 休暇, 出張',
)

/** Returns where a status such as `Home office` says that a person was on a day, undefined for any other word. */
export function placeOfWork(status: string): 'office' | 'home' | 'away' | undefined {
  const word = status.trim().normalize('NFC').toLowerCase()
  if (atOffice.has(word)) return 'office'
  return elsewhere.has(word) ? 'home' : away.has(word) ? 'away' : undefined
}
