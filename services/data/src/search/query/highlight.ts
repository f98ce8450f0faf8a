/** What stands around a found word until the text is shown; no text may hold it. */
export const [markStart, markEnd] = ['\ue000', '\ue001'] as const

/**
 * What stands for characters meanwhile, of which PostgreSQL's parser would make more than they are: a tag, which it
 * leaves out, a path, a negative number, a host.
 */
export const placeholders = { '<': '\ue002', '>': '\ue003', '/': '\ue004', '-': '\ue005', '.': '\ue006' } as const

const marks = new RegExp(`[${markStart}${markEnd}]`, 'g')
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text with its found words marked: escaped HTML, in which `<mark>` is the only element. */
export const renderHighlights = (text: string): string =>
  restorePlaceholders(text)
    .replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)
    .replaceAll(markStart, '<mark>')
    .replaceAll(markEnd, '</mark>')

export const stripHighlights = (text: string): string => restorePlaceholders(text).replaceAll(marks, '')

const originals = new Map<string, string>(
  Object.entries(placeholders).map(([character, standIn]) => [standIn, character]),
)
const anyPlaceholder = new RegExp(`[${[...originals.keys()].join('')}]`, 'g')

const restorePlaceholders = (text: string): string =>
  text.replaceAll(anyPlaceholder, (standIn) => originals.get(standIn) ?? standIn)
