/** Words of a moment, and of one that is not that of the event. */
export const timeWords = [
  /^(?:zeit|uhrzeit|time|datum|date|ereignis|event|when|ts$|heure|horodatage|tag$|day$|fecha|data$|tijd|czas$|日時|日付|時刻)/,
]
export const bookkeepingWords = /^(?:created|updated|modified|angelegt|geandert|erstellt|export|import)/
/** Words of a moment in the employment of a person. */
export const employmentWords =
  /^(?:hire|hired|hiring|join|joined|birth|birthday|dob$|geburt|eintrittsdatum|austrittsdatum|terminat|leaving|lastlog|lastsign|expir|embauche)/

/** Names of hours, whose numbers are times of day, and times of day or ranges of them. */
export const hourWords = /^(?:hour|stunde|std|heure|hora|ora|uur|uhrzeit)$/
const clock = String.raw`\d{1,2}(?:[:h]\d{2}(?::\d{2})?)? ?(?:h|Uhr|[ap]\.?m\.?)?`
const to = ` ?(?:[-–—]|to|bis|à) ?`
export const clockValue = new RegExp(`^(?=.*[:hmr])${clock}(?:${to}${clock})?$`, 'i')
export const clockRange = new RegExp(`^(?=.*[:hmr])${clock}${to}${clock}$`, 'i')

export const durationWords = [/^(?:duration|dauer|duree|lange$|length|durata|duracion|duur|czas$)/]
/** Units of a duration whose values are numbers, and of one whose values state their unit. */
export const durationUnits =
  /^(?:h|hr|hrs|hour|hours|std|stunden?|heures?|ore|horas?|uren|min|mins|minutes?|minuten?|minuti|minutos|s|sec|secs|seconds?|sek|sekunden|secondes)$/
const hourUnit = String.raw`(?:h|hrs?|hours?|std\.?|stunden?|heures?|ore)`
const minuteUnit = String.raw`(?:min\.?|mins?|minutes?|minuten?|minuti)`
export const durationValue = new RegExp(
  String.raw`^(?:\d{1,2}:\d{2}(?::\d{2})?|\d+(?:[.,]\d+)? ?(?:${hourUnit}|${minuteUnit})|\d+ ?${hourUnit} ?\d{1,2}(?: ?(?:m|${minuteUnit}))?|PT.+)$`,
  'i',
)
