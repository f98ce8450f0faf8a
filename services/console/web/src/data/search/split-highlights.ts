/** A part of a text; a marked part matches the query. */
export interface TextPart {
  text: string
  isMarked: boolean
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

/**
 * Splits a highlighted text of a search, which is escaped HTML with `<mark>` as its only element, into plain texts. No
 * part is HTML, so the page shows them as text.
 */
export function splitHighlights(html: string): TextPart[] {
  return html
    .split(/<\/?mark>/)
    .map((part, index) => ({ text: unescapeHtml(part), isMarked: index % 2 === 1 }))
    .filter(({ text }) => text !== '')
}

/** One pass, so that `&amp;lt;` becomes `&lt;` and nothing else. */
const unescapeHtml = (text: string): string =>
  text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity)

/** Returns the different marked words of texts, in lower case, in the order of their occurrence. */
export function matchedWords(...texts: readonly (readonly TextPart[])[]): string[] {
  const words = texts.flat().filter(({ isMarked }) => isMarked)
  return [...new Set(words.map(({ text }) => text.toLocaleLowerCase()))]
}

/** Returns the names of the fields whose text contains one of the words. */
export function fieldsWithWords(data: Readonly<Record<string, unknown>>, words: readonly string[]): string[] {
  const contains = (value: unknown) => {
    const text = (typeof value === 'string' ? value : JSON.stringify(value ?? '')).toLocaleLowerCase()
    return words.some((word) => text.includes(word))
  }
  return Object.entries(data)
    .filter(([, value]) => contains(value))
    .map(([name]) => name)
}
