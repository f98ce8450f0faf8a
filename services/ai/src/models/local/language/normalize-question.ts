const numberWords = [
  'two three four five six seven eight nine ten'.split(' '),
  'zwei drei vier fünf sechs sieben acht neun zehn'.split(' '),
]
const numberPattern = new RegExp(`(?<!\\p{L})(?:${numberWords.flat().join('|')})(?!\\p{L})`, 'giu')

/** Returns a text with the numbers from 2 to 10 as digits. */
export const withDigits = (text: string): string =>
  text.replaceAll(numberPattern, (word) => {
    const ats = numberWords.map((words) => words.indexOf(word.toLowerCase()))
    return String(Math.max(...ats) + 2)
  })

/** Splits `Gesamtbetrag`: the total of an amount, or a column of that name. */
export const splitCompounds = (text: string): string =>
  text.replaceAll(/\b(gesamt|durchschnitts)(?=\p{L}{4})/giu, '$1 ')

/** Spellings that are rewritten before the words of a question are read. */
const spellings: [RegExp, string | ((match: string, ...groups: string[]) => string)][] = [
  [/\b(?:cheapest|billigste\w*|günstigste\w*|guenstigste\w*)\b/giu, 'least expensive'],
  [/\b(?:teuerste\w*)\b/giu, 'most expensive'],
  [/\bim mittel\b/gi, 'im Durchschnitt'],
  [/(?<=\b(?:than|least|most) )twice\b/gi, '2 times'],
  [/\b(\d+)mal\b/gi, '$1 mal'],
  [/\b(?:square met(?:er|re)s?|mètres? carrés?)\b/gi, 'sqm'],
  [/%/g, ' percent '],
  // `Laufen 2027 aus`
  [
    /\bl(?:aufen|äuft|aeuft)\b(.*)\b(?:aus|ab)\b/giu,
    (_match, between = '') => `${/^ \d{4} /.test(between) ? ' in' : ''}${between}auslaufen`,
  ],
  [/\b(?:day of the week|days of the week)\b/gi, 'weekday'],
  [/\b(?:hour of the day|time of (?:the )?day)\b/gi, 'hour'],
  [/\b(\d{1,2})(am|pm)\b/gi, '$1 $2'],
  [/\b(?:KW)(\d{1,2})\b/gi, 'KW $1'],
  [/(?<=\d )in the morning\b/gi, 'am'],
  [/(?<=\d )in the (?:afternoon|evening)\b/gi, 'pm'],
  [/\bwhats\b/gi, 'what'],
  [/\bvor(monat|woche|quartal|jahr)s?\b/gi, 'letzten $1'],
  // `Wie hoch sind die Kosten` is not about a value `hoch`.
  [/\b(wie|how) (?:hoch|groß|gross|high|large|big)\b/gi, '$1'],
  [/\b(?:bei|in|an|auf|von) wie vielen?\b/gi, 'wie viele'],
  [/\bwieviel(?=e?\b)/gi, 'wie viel'],
]

/** Returns a question with numbers as digits, and with superlatives and compounds in parts. */
export const normalizeQuestion = (text: string): string =>
  spellings.reduce(
    (rest, [pattern, written]) =>
      typeof written === 'string' ? rest.replaceAll(pattern, written) : rest.replaceAll(pattern, written),
    withDigits(splitCompounds(text)),
  )
