import { wordsOfName } from '../language/words.ts'

/** Adding these up has no meaning. */
export const isRate = (field: string): boolean =>
  /%|ppm|°|lux|(?<!(?:monthly|annual|yearly)[ _])rate|(?<!du)ratio|percent|share|average|avg|mean|score|(?<![a-z])rating|bewertung|satisf|zufrieden|temperature|humidity|quote|anteil|prozent|temperatur|price|preis|(?:^|_)age$/i.test(
    field,
  )

/** Returns true for what is spent or used up: `costs in May` are those of all records. */
export const isAdded = (field: string): boolean =>
  !isRate(field) &&
  /cost|kosten|co[uû]t|expense|consumption|consommation|verbrauch|kwh|mwh|fee|gebuhr|gebühr|revenue|umsatz/i.test(field)

/** Returns true for money that a record cost as a whole. */
export const isSpent = (field: string): boolean =>
  !isRate(field) && /cost|kosten|expense|fee|gebuhr|gebühr|amount|betrag|montant/i.test(field)

/** Returns true for a number of things, of which one record may have many. */
export const isQuantity = (field: string): boolean =>
  /quantit|units|count|copies|stock|pieces|portion|menge|stuck|stück|anzahl|bestand/i.test(field)

/** Returns true for a column of money. */
export const isMoney = (field: string): boolean =>
  /[€$£]|eur|usd|chf|gbp|cost|price|fee|salary|revenue|amount|budget|refund|rent|kosten|preis|gebuhr|gebühr|gehalt|umsatz|betrag|montant|miete|co[uû]t|prix|loyer|importe|precio|coste/i.test(
    field,
  )

/** Returns true for a number of which more is better, whatever it is about. */
export const isScore = (field: string): boolean => /score|rating|points|satisf|punkte|bewertung|zufrieden/i.test(field)

export const minutesOfDay = 1_440

/** Returns the minutes of a unit of time; undefined of another word. */
export function minutesOf(unit: string): number | undefined {
  if (/^(?:mins?|minuten?|minutes?)$/.test(unit)) return 1
  if (/^(?:h|hrs?|hours?|std|stunden?)$/.test(unit)) return 60
  return /^(?:days?|tagen?|tage)$/.test(unit) ? minutesOfDay : undefined
}

/** Returns the minutes of the unit in the name of a column of durations: 60 of `hours_spent`. */
export function minutesOfColumn(field: string): number | undefined {
  const words = wordsOfName(field).map(({ plain }) => plain)
  // `min_seats` is the least number of seats, and a `day` is no duration.
  const units = words.filter((word, at) => word !== 'day' && (word !== 'min' || at === words.length - 1))
  // `Wochenstunden`
  const parts = units.map((word) => /(?:stunden|minuten)$/.exec(word)?.[0] ?? word)
  return parts.map(minutesOf).find((minutes) => minutes !== undefined)
}
