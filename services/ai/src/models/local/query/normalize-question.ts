const numberWords = 'two three four five six seven eight nine ten'.split(' ')

/** Spellings that are rewritten before the words of a question are read. */
const spellings: [RegExp, string | ((match: string, ...groups: string[]) => string)][] = [
  [/\b(?:cheapest|billigste\w*|günstigste\w*|guenstigste\w*)\b/giu, 'least expensive'],
  [/\b(?:teuerste\w*)\b/giu, 'most expensive'],
  [/\b(gesamt|durchschnitts)(?=\p{L}{4})/giu, '$1 '],
  [
    new RegExp(`\\b(?:${numberWords.join('|')})\\b`, 'gi'),
    (word) => String(numberWords.indexOf(word.toLowerCase()) + 2),
  ],
  [/%/g, ' percent '],
]

/** Returns a question with numbers as digits, and with superlatives and compounds in parts. */
export const normalizeQuestion = (text: string): string =>
  spellings.reduce(
    (rest, [pattern, written]) =>
      typeof written === 'string' ? rest.replaceAll(pattern, written) : rest.replaceAll(pattern, written),
    text,
  )
