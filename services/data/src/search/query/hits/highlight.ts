import { escapeHtml } from '@wp/service'
import { markEnd, markStart, placeholders } from '../../../store/search/text/highlight-marks.ts'

const marks = new RegExp(`[${markStart}${markEnd}]`, 'g')

/** Renders a marked text as HTML: escaped, with `<mark>` as the only element. */
export const renderHighlights = (text: string): string =>
  escapeHtml(restorePlaceholders(text)).replaceAll(markStart, '<mark>').replaceAll(markEnd, '</mark>')

/** Returns a marked text as plain text. */
export const stripHighlights = (text: string): string => restorePlaceholders(text).replaceAll(marks, '')

const originals = new Map<string, string>(
  Object.entries(placeholders).map(([character, placeholder]) => [placeholder, character]),
)
const anyPlaceholder = new RegExp(`[${[...originals.keys()].join('')}]`, 'g')

const restorePlaceholders = (text: string): string =>
  text.replaceAll(anyPlaceholder, (placeholder) => originals.get(placeholder) ?? placeholder)
