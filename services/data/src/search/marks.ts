/** What stands around a found word until the text is shown; no text may hold it. */
export const [markStart, markEnd] = ['\ue000', '\ue001'] as const

/**
 * What stands for characters meanwhile, of which PostgreSQL's parser would make more than they are: a tag, which it
 * leaves out, a path, a negative number, a host.
 */
export const standIns = { '<': '\ue002', '>': '\ue003', '/': '\ue004', '-': '\ue005', '.': '\ue006' } as const

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
  restored(text)
    .replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)
    .replaceAll(markStart, '<mark>')
    .replaceAll(markEnd, '</mark>')

export const unmarked = (text: string): string => restored(text).replaceAll(marks, '')

const meant = new Map<string, string>(Object.entries(standIns).map(([character, standIn]) => [standIn, character]))
const anyStandIn = new RegExp(`[${[...meant.keys()].join('')}]`, 'g')

const restored = (text: string): string => text.replaceAll(anyStandIn, (standIn) => meant.get(standIn) ?? standIn)
