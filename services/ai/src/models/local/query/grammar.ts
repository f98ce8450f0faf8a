import type { Bucket } from '../language/phrases.ts'

/** Alternatives of patterns over tagged text: words in lower case without accents, and tags such as `N2`. */
export const negations =
  'not|no|without|except for|except|excluding|other than|outside of|outside|neither|weder|nicht|kein|keine[nmrs]?|ohne|ausser|bis auf'
export const joins = 'and|or|nor|noch|und|oder|both|either'
/** Words between a negation, a column and its value. */
export const leads =
  'in|from|of|at|by|for|on|to|through|via|with|as|the|a|an|any|yet|be|been|have|auf|aus|von|bei|mit|der|die|das|den|dem|im|vom|am|ein|eine[nmrs]?'
export const copulas = 'is|are|was|were|has been|have been|ist|sind|war|waren|wurde|wurden|have|has|had|hat|haben'
export const columnTag = String.raw`[XNDB]\d+`

export const functions = {
  count:
    'how many|how often|wie oft|number of|count of|count|wie vielen?|wie viele[nr]|wieviele|anzahl der|anzahl von|anzahl',
  sum: 'total|sum of|sum|altogether|in total|in all|combined|insgesamt|gesamte[nmrs]?|gesamt|summe der|summe',
  mean: String.raw`on average|average|mean|avg|im durchschnitt|im schnitt|durchschnitt\w*|mittelwert|mittlere[nmrs]?`,
  median: 'median(?: of)?|medianwert|zentralwert',
  distinct: String.raw`different|distinct|unique|verschiedene\w*|unterschiedliche\w*`,
} as const

export const superlatives = {
  max: String.raw`highest|most|maximum|max|largest|biggest|greatest|longest|top|peak(?= (?:of|number|N\d+) )|hochste\w*|grosste\w*|am meisten|meiste\w*|langste\w*|maximale\w*|best(?= (?:(?:average|mean) )?N\d+)|beste\w*(?= (?:N\d+|durchschnitt\w*))`,
  min: String.raw`lowest|least|minimum|min|smallest|shortest|fewest|niedrigste\w*|kleinste\w*|wenigste\w*|geringste\w*|kurzeste\w*|minimale\w*|worst(?= (?:(?:average|mean) )?N\d+)|schlechteste\w*(?= (?:N\d+|durchschnitt\w*))`,
} as const
/** Rankings by how often something was bought or used: each record may stand for many. */
export const sold = 'sold|bought|ordered|popular|verkauft|gekauft|bestellt'
export const expensive = 'expensive|cheap|teuer|gunstig'
export const spending = 'spent|spend|spends|paid|pay|pays|ausgegeben|bezahlt|gekostet'
/** Verbs of using something: each record is one use. */
export const usage =
  'uses?|used|handles?|handled|bearbeitet|books?|booked|orders?|ordered|visits?|visited|benutzt|nutzt|genutzt|bucht|gebucht|bestellt|besucht|needed'
/** Words after a number that count records: `more than 5 times`. */
export const times = 'times|mal|fois|veces'
/** Rankings by the number of people, or of records where none is counted. */
export const crowdedness = {
  max: String.raw`busiest|busier|fuller|voller|mehr los|fullest|(?:most|am meisten) (?:crowded|busy|los)|peak|strongest|vollste\w*|am vollsten|starkste\w*|am starksten|belebteste\w*`,
  min: String.raw`quietest|quieter|emptier|leerer|ruhiger|weniger los|emptiest|(?:least|am wenigsten) (?:crowded|busy|los)|leerste\w*|am leersten|ruhigste\w*|am ruhigsten|schwachste\w*|am schwachsten`,
} as const
export const dateSuperlatives = {
  max: String.raw`latest|newest|most recent|last|neueste\w*|letzte\w*|jungste\w*`,
  min: String.raw`earliest|oldest|first|fruheste\w*|alteste\w*|erste\w*`,
} as const

export const share =
  '(?:what |which |how many |wie viel |wie viele )?(?:is |ist |was )?(?:the |der |a )?(?:share|percentage|percent|proportion|fraction|anteil|prozent)(?: of| der| von| an)?'

export const groupWords = String.raw`(?:grouped |broken down |split )?by|per|for each|for every|in each|of each|each|every|pro|je|nach|fur jede\w*|in jede\w*|jede\w*`
export const bucketWords = {
  day: 'days?|tag|tage|tagen',
  week: 'calendar weeks?|weeks?|wochen?|kalenderwochen?|kw',
  month: 'months?|monat',
  quarter: 'quarters?|quartal',
  year: 'years?|jahr',
  weekday: 'weekdays?|wochentage?n?',
  hour_of_day: 'hours?|stunden?',
} as const
export const buckets = Object.values(bucketWords).join('|')
/** Returns the period of `month` or `Monat`. */
export const bucketOf = (word: string): Bucket | undefined =>
  Object.entries(bucketWords)
    .filter(([, pattern]) => new RegExp(`^(?:${pattern})$`).test(word))
    .map(([name]) => name as Bucket)[0] // a key of the table

const currency = String.raw`(?:eur|euros?|€|\$|usd|dollars?|chf|francs?|franken|gbp|pounds?)`
const duration = 'hours?|hrs?|stunden?|std|minutes?|mins?|minuten?|days?|tagen?|tage'
/** Other units, which a column has in its name. */
const measure = 'kwh|mwh|kw|kg|km|liters?|litres?|liter|ppm|sqm|m2|m3|gb'
const number = String.raw`(\d[\d.,]*)`
/** Comparisons of a number; the longer phrases first. */
export const comparisons: [operator: 'gt' | 'gte' | 'lt' | 'lte', phrase: string][] = [
  ['lte', 'no more than|not more than|at most|up to|hochstens|maximal|nicht mehr als|≤'],
  ['gte', 'no less than|not less than|no fewer than|at least|mindestens|≥'],
  [
    'gt',
    'more than|greater than|higher than|longer than|larger than|over|above|exceeding|mehr als|hoher als|langer als|grosser als|uber|>',
  ],
  [
    'lt',
    'less than|fewer than|lower than|smaller than|shorter than|cheaper than|under|below|weniger als|niedriger als|kurzer als|kleiner als|unter|<',
  ],
]
const measured = String.raw`(?:(?<verb>worth|wert|costs?|kosten|kostet|works?|arbeiten|arbeitet|lasts?|lasted|dauern|dauert|dauerten) )?(?:(?<left>N\d+) (?:(?:is|are|was|were|of|with|a|an|ist|sind|von|mit) )*)?`
const amount = (name: string) =>
  `(?:(?<${name}Currency>${currency}) )?(?<${name}>${number.slice(1, -1)})(?: (?<${name}Unit>${currency}|percent|prozent|%|${duration}|${measure}))?`
/** A unit after a column or a preposition: `minutes`, `in euros`. */
export const unitPattern = `(?:${currency}|${duration}|${measure})`
const target = String.raw`(?: (?:of )?(?<right>[NS]\d+))?`
export const comparisonPattern = (phrase: string): string => `${measured}(?:${phrase}) ${amount('low')}${target}`
export const betweenPattern = `${measured}(?:between|zwischen) ${amount('low')} (?:and|und) ${amount('high')}${target}`

/** Words that change nothing about the answer. Any other word that is left over leads to a refusal. */
const fillers = [
  'the a an of is are was were be been being do does did has have had there we our us i me my you your please show tell',
  'give list what which who whose when where how much in on at to for from with and that by as any get got whom find went go goes walked',
  'still already yet come comes came exist exists records record entries entry rows row data dataset value values',
  'many took take belong belongs · overall compute calculate display can could concern concerns concerned involve involves',
  'involved affect affects affected cause causes caused causing incur incurs incurred generate generates generated occur',
  'occurs occurred arise arises arose appear appears appeared happen happens happened betreffen betrifft betraf betrafen',
  'verursacht verursachen verursachte verursachten anfallen angefallen fallen entfallen entfiel entfielen laufen lief liefen',
  'vorkommen vorliegen verzeichnet verzeichneten erfolgen erfolgten stammen stammt stammten fanden statt stattgefunden',
  'gib sind der die das den dem des ein eine einen einem einer eines und ist sind war waren werden wird wurde wurden hat haben hatte',
  'hatten was welche welcher welches welchen welchem wer wem wann wo wie viel viele hoch gibt gab es wir uns unser unsere',
  'unserer mir bitte zeige zeig nenne liste in im am an auf aus bei mit von vom zu zum zur fur noch',
  'schon bereits da kam kamen kommen kommt datensatze eintrage',
]
export const isFiller = (word: string): boolean => fillerSet.has(word)
const fillerSet = new Set(fillers.join(' ').split(' '))

/** Participles say when something happened: `closed in September` is not what `opened_on` says. */
export const participle =
  /(?:ed|sent|paid|sold|lost|won|done|given|taken|broken|(?<!ur|a)ge\p{L}+(?:t|en)|(?:ver|er|be|ab)\p{L}+t)$/iu
