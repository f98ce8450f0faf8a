/** What stands around a found word until the text is shown; no text may hold it. */
export const [markStart, markEnd] = ['\ue000', '\ue001'] as const

/** What stands for `<` and `>` meanwhile: PostgreSQL would take what is between them for a tag and leave it out. */
export const [below, above] = ['\ue002', '\ue003'] as const

const marks = new RegExp(`[${markStart}${markEnd}]`, 'g')
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text with its found words marked: escaped HTML, in which `<mark>` is the only element. */
export const markedHtml = (text: string): string =>
  withBrackets(text)
    .replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)
    .replaceAll(markStart, '<mark>')
    .replaceAll(markEnd, '</mark>')

export const unmarked = (text: string): string => withBrackets(text).replaceAll(marks, '')

const withBrackets = (text: string): string => text.replaceAll(below, '<').replaceAll(above, '>')
